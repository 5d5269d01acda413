import type { SuspiciousEvent } from '../domain/suspicious-event.js';
import type { SuspiciousEvents } from '../store/suspicious-events.js';

/**
 * Counts suspicious events and adds the first ones of each session and app to the log, all or nothing. Error
 * `unavailable`: nothing is known to be added, and the caller repeats the call. After a lost answer the events may
 * count twice.
 */
export type RecordSuspiciousEvents = (events: readonly SuspiciousEvent[]) => Promise<void>;

/** Makes {@link RecordSuspiciousEvents}. */
export function makeRecordSuspiciousEvents(
  log: Pick<SuspiciousEvents, 'add'>,
  onRecorded: (counts: { readonly kept: number; readonly counted: number }) => void,
): RecordSuspiciousEvents {
  return async (events) => {
    if (events.length === 0) return;
    const kept = await log.add(events);
    onRecorded({ kept, counted: events.length - kept });
  };
}
