/** Most calls that share one message. */
export const MEMBERS_MAX = 64;
/** Most bytes of calls, or of answers, that are gathered into one message. */
export const GATHERED_BYTES_MAX = 1024 * 1024;
/** A call of more bytes goes alone: sharing saves nothing worth mentioning there. */
export const MEMBER_BYTES_MAX = 256 * 1024;
