import type { Clock } from '@placard/service-kit/pure';
import { LEASE_GRACE_MS } from '../domain/lease.js';
import type { HeldMoney, LeaseStore } from '../store/leases.js';

/** A replica that was not seen for this long has ended, or cannot sell. */
const GONE_MS = 30_000;
/** A lease that is still open this long after its last ad is overdue. Contract: docs/contract/selection.md#reservation. */
const OVERDUE_MS = LEASE_GRACE_MS + 90_000;

/** What {@link makeWatchBudgets} needs. */
export interface WatchBudgetsDeps {
  readonly leases: Pick<LeaseStore, 'held'>;
  readonly clock: Clock;
  readonly onHeld: (held: readonly HeldMoney[]) => void;
}

/** Reads the held money of campaigns for the metrics. */
export function makeWatchBudgets({ leases, clock, onHeld }: WatchBudgetsDeps): () => Promise<void> {
  return async () => {
    const nowMs = clock.now();
    onHeld(await leases.held({ goneBeforeMs: nowMs - GONE_MS, overdueBeforeMs: nowMs - OVERDUE_MS }));
  };
}
