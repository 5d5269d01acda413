import type { RequestId } from '@placard/service-kit/pure';
import type { EventRow } from '../domain/event-row.js';
import type { EventType, History } from '../domain/event.js';

/** The key of a request: its id and the UTC day (since 1970) of its fill. */
export interface RequestKey {
  readonly day: number;
  readonly requestId: RequestId;
}

/** The key of a row within a group. */
export function eventKey(event: { readonly requestId: RequestId; readonly type: EventType }): string {
  return `${event.requestId}/${event.type}`;
}

/**
 * The judged events. The primary key decides which of several copies is the first, whichever processes they arrive at.
 * Every method fails with `unavailable` while the database is away.
 */
export interface EventStore {
  /** The stored events by request id. Ids without stored events are left out. */
  history(keys: readonly RequestKey[]): Promise<ReadonlyMap<string, History>>;
  /**
   * Stores the new rows durably and returns their keys ({@link eventKey}). A paid impression whose lease is closed or
   * missing is not stored. The rows of a call must have different keys.
   */
  insert(rows: readonly EventRow[]): Promise<ReadonlySet<string>>;
}
