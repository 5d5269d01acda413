import type { SuspiciousEvent } from '../domain/suspicious-event.js';
import type { SuspiciousEvents } from '../store/suspicious-events.js';

/**
 * Adds to the suspicious-event log, all or none. Error `unavailable`: nothing was added as far as is known, the caller
 * keeps the entries and sends them again; after a lost answer they may then stand in the log twice.
 */
export type RecordSuspiciousEvents = (events: readonly SuspiciousEvent[]) => Promise<void>;

/** Makes {@link RecordSuspiciousEvents}. */
export function makeRecordSuspiciousEvents(log: SuspiciousEvents): RecordSuspiciousEvents {
  return async (events) => {
    if (events.length > 0) await log.add(events);
  };
}
