/** Largest message in either direction, in bytes, unless an option sets another limit. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** Most calls that share one frame. */
export const MEMBERS_MAX = 64;
/** Most bytes of calls, or of answers, in one frame. */
export const GATHERED_BYTES_MAX = 1024 * 1024;
/** A larger call is sent alone: sharing a frame would save next to nothing. */
export const MEMBER_BYTES_MAX = 256 * 1024;
/** A call that may take longer, in milliseconds, is sent alone. So a stream that is renewed is answered soon. */
export const MEMBER_MS_MAX = 3_000;
