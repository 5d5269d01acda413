import type { Clock } from '@placard/service-kit/pure';
import { LEASE_GRACE_MS } from '../domain/lease.js';
import type { ClosedLeases, LeaseStore } from '../store/leases.js';

/** Leases of one transaction. */
const GROUP_MAX = 1_000;

/** What {@link makeCloseLeases} needs. */
export interface CloseLeasesDeps {
  readonly leases: Pick<LeaseStore, 'closeDue'>;
  readonly clock: Clock;
  readonly onClosed: (closed: ClosedLeases) => void;
}

/**
 * Closes every lease whose last ad has been over for a minute, so that the money of unshown ads is headroom again 60 to
 * 150 seconds after their expiry. Several workers may run it at the same time.
 * Contract: docs/contract/selection.md#reservation.
 */
export function makeCloseLeases({ leases, clock, onClosed }: CloseLeasesDeps): () => Promise<void> {
  return async () => {
    for (;;) {
      const nowMs = clock.now();
      const closed = await leases.closeDue({
        overBeforeMs: nowMs - LEASE_GRACE_MS,
        nowMs,
        countMax: GROUP_MAX,
      });
      if (closed.leases > 0) onClosed(closed);
      if (closed.leases < GROUP_MAX) return;
    }
  };
}
