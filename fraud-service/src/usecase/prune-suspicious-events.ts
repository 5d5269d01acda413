import { DAY_MS, HOUR_MS, type Clock } from '@placard/service-kit/pure';
import type { SuspiciousEvents } from '../store/suspicious-events.js';

/** A session's bound is of an hour; events come late when events-service could not reach this service. */
const SESSIONS_KEPT_HOURS = 3;
/** Entries that one statement removes at most for one reason, so that no transaction is long. */
const DELETE_MAX = 5_000;
/** Statements of one round; what is left waits for the next round. */
const STATEMENTS_MAX = 200;

/** How much of the suspicious-event log is kept. */
export interface Retention {
  /** Days that an entry is kept at most. */
  readonly days: number;
  /** Entries that are kept at most. */
  readonly countMax: number;
}

/** Removes what is over the retention; answers how many entries and counts went. Error `unavailable`. */
export type PruneSuspiciousEvents = () => Promise<number>;

/** Makes {@link PruneSuspiciousEvents}. */
export function makePruneSuspiciousEvents(
  log: SuspiciousEvents,
  retention: Retention,
  clock: Clock,
): PruneSuspiciousEvents {
  return async () => {
    const bounds = {
      beforeMs: clock.now() - retention.days * DAY_MS,
      sessionsBeforeMs: clock.now() - SESSIONS_KEPT_HOURS * HOUR_MS,
      countMax: retention.countMax,
    };
    let removedCount = 0;
    for (let statement = 0; statement < STATEMENTS_MAX; statement += 1) {
      const count = await log.prune(bounds, DELETE_MAX);
      removedCount += count;
      if (count === 0) break;
    }
    return removedCount;
  };
}
