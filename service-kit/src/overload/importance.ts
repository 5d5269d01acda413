/** A kind of calls, from the most important on: in an overload, the last are refused first. */
export type Kind = 'events' | 'ads' | 'sessions' | 'reports';

/**
 * The latency that each kind tolerates, as a multiple of its usual one. When calls share what is scarce, all become slow
 * together. Then the less important kinds make room first.
 */
export const TOLERANCES: Readonly<Record<Exclude<Kind, 'reports'>, number>> = {
  events: 3,
  ads: 2,
  sessions: 1.5,
};

/** The least limit of a kind: so few calls do not overload a process. */
export const LIMIT_MIN = 64;
/** The least limit while more important calls overload the process. */
export const YIELDING_LIMIT_MIN = 4;
