import { DAY_MS, HOUR_MS, type Clock } from '@placard/service-kit/pure';
import type { SuspiciousEvents } from '../store/suspicious-events.js';

/** The limit of a session is per hour. Events arrive late when events-service could not reach this service. */
const SESSIONS_KEPT_HOURS = 3;
/** Most rows that one statement removes for one reason, so that no transaction is long. */
const DELETE_MAX = 5_000;
/** Most statements of one round. Remaining rows wait for the next round. */
const STATEMENTS_MAX = 200;

/** The retention of the suspicious-event log. */
export interface Retention {
  /** Most days that an entry is kept. */
  readonly days: number;
  /** Most entries that are kept. */
  readonly countMax: number;
}

/** Removes entries and counts over the retention. Answers the number of removed rows. Error `unavailable`. */
export type PruneSuspiciousEvents = () => Promise<number>;

/** Makes {@link PruneSuspiciousEvents}. */
export function makePruneSuspiciousEvents(
  log: Pick<SuspiciousEvents, 'prune'>,
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
