import type { Scope } from '@placard/service-kit';
import { openBreaker, type Breaker } from '@placard/service-kit/breaker';

/** Longest time that an event waits for one read or one commit, in milliseconds. */
export const EVENT_MS_MAX = 1_000;
/**
 * Longest time of a transaction of many statements that no phone waits for, in milliseconds. At a distance of 200 ms an
 * exchange of leases takes nearly as long.
 */
export const TRANSACTION_MS_MAX = 3_000;
/**
 * Longest pause between two trials, in milliseconds. A commit that hangs keeps its connection in Postgres, even after the
 * client has given it up. So a long outage takes few of them.
 */
const PAUSE_MS_MAX = 5_000;

/**
 * The breakers in front of Postgres. Commits may hang while reads are fast, when the standby is lost that must confirm
 * them. And transactions may wait for locks while the commits of events are fast. So each of them has its own breaker.
 */
export interface PostgresBreakers {
  /** Look-ups for events. */
  readonly reads: Breaker;
  /** Inserts of events, and counts of fallbacks. */
  readonly commits: Breaker;
  /** Exchanges of leases, and counts for reports. */
  readonly transactions: Breaker;
}

/** Opens the breakers of a process. */
export function openPostgresBreakers(scope: Scope): PostgresBreakers {
  const open = (part: keyof PostgresBreakers): Breaker =>
    openBreaker(scope, { dependency: `postgres/${part}`, pauseMsMax: PAUSE_MS_MAX });
  return { reads: open('reads'), commits: open('commits'), transactions: open('transactions') };
}
