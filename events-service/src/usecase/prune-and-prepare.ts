import { dayOf, type Clock } from '@placard/service-kit/pure';
import type { CountStore } from '../reports/store/counts.js';
import type { ExplanationStore } from '../explain/store/explanations.js';
import type { LeaseStore } from '../budgets/store/leases.js';
import type { PartitionStore } from '../store/partitions.js';

/** Partitions that are made ahead: enough for a long weekend without a worker. After that an insert makes its own. */
const DAYS_AHEAD = 4;
/** Fills of a release without leases are over within hours. */
const FILLS_KEPT_SECONDS = 12 * 3_600;
/** Closed leases are kept for the verification from the rows. */
const LEASES_KEPT_SECONDS = 2 * 86_400;
/** A running reporter repeats a report until it is answered. */
const REPORTS_KEPT_SECONDS = 7 * 86_400;
/** As long as events are kept by default. Contract: docs/contract/explanations.md#kept-requests. */
const LOSSES_KEPT_SECONDS = 35 * 86_400;
const EXPLAINED_KEPT_SECONDS = 3 * 86_400;

/** What {@link makePruneAndPrepare} needs. */
export interface PruneAndPrepareDeps {
  readonly partitions: PartitionStore;
  readonly counts: Pick<CountStore, 'prune'>;
  readonly leases: Pick<LeaseStore, 'prune'>;
  readonly explanations: Pick<ExplanationStore, 'prune'>;
  readonly clock: Clock;
}

/** Makes the partitions of the coming days and deletes rows that are no longer read. Several workers may run it. */
export function makePruneAndPrepare({
  partitions,
  counts,
  leases,
  explanations,
  clock,
}: PruneAndPrepareDeps): () => Promise<void> {
  return async () => {
    const today = dayOf(clock.now());
    await partitions.ensure(Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead));
    await leases.prune(LEASES_KEPT_SECONDS);
    await counts.prune({ fillsSeconds: FILLS_KEPT_SECONDS, reportsSeconds: REPORTS_KEPT_SECONDS });
    await explanations.prune({ lossesSeconds: LOSSES_KEPT_SECONDS, requestsSeconds: EXPLAINED_KEPT_SECONDS });
  };
}
