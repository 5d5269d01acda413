import type { CatalogDelta, Clock } from '@placard/service-kit/pure';
import type { CampaignIndex } from '../selection/domain/campaign-index.js';
import type { IndexedCatalog } from '../selection/domain/indexed-campaign.js';
import type { Wallet } from '../budgets/domain/wallet.js';
import type { HeadroomMemory } from '../budgets/usecase/headroom-memory.js';

/** Dependencies of the use case. */
export interface FollowCatalogDeps {
  readonly index: CampaignIndex;
  readonly headroom: HeadroomMemory;
  readonly wallet: Wallet;
  readonly clock: Clock;
}

/**
 * Applies a change of the catalog: its campaigns are indexed again and tried again, and money of other terms is
 * returned.
 */
export function followCatalog(
  { index, headroom, wallet, clock }: FollowCatalogDeps,
  catalog: IndexedCatalog,
  delta: CatalogDelta,
): void {
  for (const id of index.apply(catalog, delta)) {
    const entry = index.get(id) ?? null;
    wallet.follow(id, entry);
    if (entry === null) headroom.drop(id);
    else headroom.follow(entry, clock.now());
  }
}
