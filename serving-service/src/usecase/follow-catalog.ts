import type { CatalogDelta, Clock } from '@placard/service-kit/pure';
import type { CampaignIndex } from '../selection/domain/campaign-index.js';
import type { IndexedCatalog } from '../selection/domain/indexed-campaign.js';
import type { Wallet } from '../budgets/domain/wallet.js';
import type { BudgetOutlook } from '../budgets/usecase/headroom-memory.js';

/** What follows the catalog. */
export interface CatalogFollowers {
  readonly index: CampaignIndex;
  readonly outlook: BudgetOutlook;
  readonly wallet: Wallet;
  readonly clock: Clock;
}

/** Takes in what has changed: whoever it concerns is indexed anew and tried again, and money of other terms is returned. */
export function followCatalog(
  { index, outlook, wallet, clock }: CatalogFollowers,
  catalog: IndexedCatalog,
  delta: CatalogDelta,
): void {
  for (const id of index.apply(catalog, delta)) {
    const entry = index.get(id) ?? null;
    wallet.follow(id, entry);
    if (entry === null) outlook.drop(id);
    else outlook.follow(entry, clock.now());
  }
}
