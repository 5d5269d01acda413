/** Largest message either way, in bytes, where nothing else is set. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Most calls that share one frame. */
export const MEMBERS_MAX = 64;
/** Most bytes of calls, or of answers, that are gathered into one frame. */
export const GATHERED_BYTES_MAX = 1024 * 1024;
/** A call of more bytes goes alone: sharing saves nothing worth mentioning there. */
export const MEMBER_BYTES_MAX = 256 * 1024;
/** A call that may take longer goes alone, in milliseconds: so a stream that is renewed has its answers soon. */
export const MEMBER_MS_MAX = 3_000;
