import type { ImpressionClaims } from '@placard/service-kit/pure';
import type { RejectionReason } from '../domain/event.js';
import { RejectionCounts, type RejectionCount } from '../domain/rejection-counts.js';
import type { CountStore } from '../../reports/store/counts.js';
import { makeSingleFlight } from '../../usecase/single-flight.js';

/** What {@link makeRejectionCounter} needs. */
export interface CountRejectionsDeps {
  readonly store: Pick<CountStore, 'addRejections'>;
  /** Random id of this run of the process. */
  readonly reporterId: string;
  readonly onDropped: () => void;
}

/** Counts rejected events for reports. Counts reach the store with the next flush. */
export interface RejectionCounter {
  add(reason: RejectionReason, claims: ImpressionClaims | null, atMs: number): void;
  /** Stores the counts. The next flush repeats a failed one unchanged, so that nothing counts twice. */
  flush(): Promise<void>;
}

/** Makes {@link RejectionCounter}. Contract: docs/contract/reports.md#rejected. */
export function makeRejectionCounter({
  store,
  reporterId,
  onDropped,
}: CountRejectionsDeps): RejectionCounter {
  const counts = new RejectionCounts();
  let sequence = 0n;
  let unsent: readonly RejectionCount[] = [];
  const flush = makeSingleFlight(async () => {
    if (unsent.length === 0) {
      unsent = counts.take();
      sequence += 1n;
    }
    if (unsent.length === 0) return;
    await store.addRejections({ reporterId, sequence }, unsent);
    unsent = [];
  });
  return {
    add(reason, claims, atMs) {
      if (!counts.add(reason, claims, atMs)) onDropped();
    },
    flush: () => flush.run(),
  };
}
