import type { RequestId } from '@placard/service-kit/pure';
import type { EventRow } from '../domain/event-row.js';
import type { EventType, History } from '../domain/event.js';

/** Which request is asked for, and the UTC day (since 1970) of its fill. */
export interface RequestKey {
  readonly day: number;
  readonly requestId: RequestId;
}

/** Names a row within a group. */
export function eventKey(event: { readonly requestId: RequestId; readonly type: EventType }): string {
  return `${event.requestId}/${event.type}`;
}

/**
 * The judged events: the primary key decides which of several copies is the first, on however many processes they
 * arrive. Every method fails with `unavailable` while the database is away.
 */
export interface EventStore {
  /** What is stored, by request id; ids of which nothing is stored are left out. */
  history(keys: readonly RequestKey[]): Promise<ReadonlyMap<string, History>>;
  /**
   * Stores the rows that are new, durably, and answers their keys ({@link eventKey}); a paid impression whose lease is
   * closed or missing is not stored. No two rows of a call may have the same key.
   */
  insert(rows: readonly EventRow[]): Promise<ReadonlySet<string>>;
}
