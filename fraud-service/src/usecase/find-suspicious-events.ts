import type { FindQuery, FoundEvent } from '../domain/suspicious-event.js';
import type { SuspiciousEvents } from '../store/suspicious-events.js';

/** Most entries of an ad in one answer. */
const FOUND_MAX = 100;

/** Reads the first entries of an ad, in the order of their arrival. Error `unavailable`. */
export type FindSuspiciousEvents = (query: FindQuery) => Promise<readonly FoundEvent[]>;

/** Makes {@link FindSuspiciousEvents}. */
export function makeFindSuspiciousEvents(log: Pick<SuspiciousEvents, 'find'>): FindSuspiciousEvents {
  return (query) => log.find(query, FOUND_MAX);
}
