import type { Clock } from '@placard/service-kit/pure';
import type { ConcernKind } from '../domain/concern.js';
import { compareConcerns } from '../domain/concern-changes.js';
import { eventsOf } from '../domain/concern-event.js';
import type { ConcernStore } from '../store/concerns.js';
import type { FindConcerns } from './find-concerns.js';

/** What {@link makeWatchConcerns} needs. */
export interface WatchConcernsDeps {
  readonly findConcerns: FindConcerns;
  readonly concerns: Pick<ConcernStore, 'update'>;
  readonly clock: Clock;
  /** Gets the kinds of all open concerns, one entry for each concern. */
  readonly onOpen: (kinds: readonly ConcernKind[]) => void;
  /** New notices may wait. */
  readonly onNotices: () => void;
}

/**
 * Finds concerns, stores which began and which ended, and adds notices for the webhooks. It is called periodically; several
 * console-services may run it. Errors: `unavailable`, `deadline_exceeded`.
 */
export function makeWatchConcerns(deps: WatchConcernsDeps): () => Promise<void> {
  return async () => {
    const { concerns: found } = await deps.findConcerns();
    const nowMs = deps.clock.now();
    const { begun, kept, ended } = await deps.concerns.update(nowMs, (open) => {
      const changes = compareConcerns(open, found, nowMs);
      return { changes, events: eventsOf(changes, nowMs) };
    });
    deps.onOpen([...begun, ...kept].map(({ row }) => row.kind));
    if (begun.length + ended.length > 0) deps.onNotices();
  };
}
