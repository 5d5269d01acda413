import type { Clock } from '@placard/service-kit/pure';
import { LEASE_GRACE_MS } from '../domain/lease.js';
import type { HeldMoney, LeaseStore } from '../store/leases.js';

/** A replica that was not seen for so long has ended, or cannot sell. */
const GONE_MS = 30_000;
/** Beyond the grace of a closing: something holds the closing up. Contract: docs/contract/selection.md#reservation. */
const OVERDUE_MS = LEASE_GRACE_MS + 90_000;

/** What watching needs. */
export interface WatchBudgetsDeps {
  readonly leases: Pick<LeaseStore, 'held'>;
  readonly clock: Clock;
  readonly onHeld: (held: readonly HeldMoney[]) => void;
}

/** Reads what campaigns hold of money that is not spent, for the metrics. */
export function makeWatchBudgets({ leases, clock, onHeld }: WatchBudgetsDeps): () => Promise<void> {
  return async () => {
    const nowMs = clock.now();
    onHeld(await leases.held({ goneBeforeMs: nowMs - GONE_MS, overdueBeforeMs: nowMs - OVERDUE_MS }));
  };
}
