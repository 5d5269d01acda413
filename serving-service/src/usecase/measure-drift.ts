import type { AdvertiserId, Clock, Nanos } from '@placard/service-kit/pure';
import type { SpendClient } from '../clients/spend-client.js';
import { toSeed } from '../domain/budget.js';
import type { BudgetStore } from '../store/budget-store.js';

/** Advertisers that are compared in one round. */
export const ADVERTISERS_MAX = 16;

/** What comparing needs. */
export interface DriftDeps {
  readonly budgets: Pick<BudgetStore, 'advertiserUsed'>;
  readonly spend: Pick<SpendClient, 'budgetTruth'>;
  readonly flushReport: () => Promise<void>;
  readonly advertiserIds: () => readonly AdvertiserId[];
  readonly clock: Clock;
}

/**
 * How far counters and truth were apart in a round. `over`: counters hold more than events-service knows, which holds
 * money back for a while (fills that are over and not closed yet are part of it); `under`: they hold less, which may
 * sell money twice.
 */
export interface Drift {
  readonly overNanos: Nanos;
  readonly underNanos: Nanos;
}

/** Compares the next few advertisers' counters with what events-service knows; changes nothing. */
export type MeasureDrift = () => Promise<Drift>;

/** Makes the use case. */
export function makeMeasureDrift(deps: DriftDeps): MeasureDrift {
  let next = 0;
  return async () => {
    const all = deps.advertiserIds();
    if (next >= all.length) next = 0;
    const ids = all.slice(next, next + ADVERTISERS_MAX);
    next += ids.length;
    await deps.flushReport();
    const drifts = await Promise.all(ids.map((id) => driftOf(deps, id)));
    let overNanos = 0n;
    let underNanos = 0n;
    for (const drift of drifts) {
      if (drift > 0n) overNanos += drift;
      else underNanos -= drift;
    }
    return { overNanos, underNanos };
  };
}

async function driftOf(deps: DriftDeps, advertiserId: AdvertiserId): Promise<Nanos> {
  const used = await deps.budgets.advertiserUsed(advertiserId);
  if (used === null) return 0n;
  const truth = await deps.spend.budgetTruth(advertiserId, []);
  return used - toSeed(advertiserId, truth, deps.clock.now()).usedNanos;
}
