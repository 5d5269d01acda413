import { makeNumberedBatches } from '@placard/service-kit/background';
import type { ImpressionClaims } from '@placard/service-kit/pure';
import type { RejectionReason } from '../domain/event.js';
import { RejectionCounts, type RejectionCount } from '../domain/rejection-counts.js';
import type { CountStore } from '../../reports/store/counts.js';

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
  const batches = makeNumberedBatches<readonly RejectionCount[]>({
    take: () => {
      const taken = counts.take();
      return taken.length === 0 ? [] : [taken];
    },
    send: (batch, sequence) => store.addRejections({ reporterId, sequence: BigInt(sequence) }, batch),
  });
  return {
    add(reason, claims, atMs) {
      if (!counts.add(reason, claims, atMs)) onDropped();
    },
    flush: () => batches.flush(),
  };
}
