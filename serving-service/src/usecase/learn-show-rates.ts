import type { PaceStore } from '../store/pace-store.js';
import type { PaceMemory } from './pace-memory.js';

/** Campaigns whose rates are read in one round. */
export const RATES_CAMPAIGNS_MAX = 1_024;

/** What reading the rates needs. */
export interface LearnShowRatesDeps {
  readonly paces: PaceStore;
  readonly memory: Pick<PaceMemory, 'takeTried' | 'setClosed'>;
}

/**
 * Reads what became of the fills of campaigns that were tried since the last round. Rejects when the store cannot be
 * reached; the rates that are known stay in force then.
 */
export function makeLearnShowRates({ paces, memory }: LearnShowRatesDeps): () => Promise<void> {
  return async () => {
    const entries = memory.takeTried(RATES_CAMPAIGNS_MAX);
    const closed = await paces.closedFills(
      entries.map(({ campaign, advertiser }) => ({ campaignId: campaign.id, advertiserId: advertiser.id })),
    );
    for (const [at, { campaign }] of entries.entries()) {
      const fills = closed[at];
      if (fills !== undefined) memory.setClosed(campaign.id, fills);
    }
  };
}
