import { dayOf, type Clock } from '@placard/service-kit/pure';
import type { CountStore } from '../store/counts.js';
import type { PartitionStore } from '../store/partitions.js';

/** Partitions that are made ahead: enough for a long weekend without a worker, and an insert makes its own after that. */
const DAYS_AHEAD = 4;
/** Campaign-minutes are closed within minutes of their end; a replica that was away for hours may still ask. */
const FILLS_KEPT_SECONDS = 12 * 3_600;
/** A report is sent again for as long as its reporter lives without an answer. */
const REPORTS_KEPT_SECONDS = 7 * 86_400;

/** What housekeeping needs. */
export interface KeepHouseParts {
  readonly partitions: PartitionStore;
  readonly counts: Pick<CountStore, 'prune'>;
  readonly clock: Clock;
}

/** Makes what the coming days need and forgets what nobody asks for any more. Safe to run at the same time anywhere. */
export function makeKeepHouse({ partitions, counts, clock }: KeepHouseParts): () => Promise<void> {
  return async () => {
    const today = dayOf(clock.now());
    await partitions.ensure(Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead));
    await counts.prune({ fillsSeconds: FILLS_KEPT_SECONDS, reportsSeconds: REPORTS_KEPT_SECONDS });
  };
}
