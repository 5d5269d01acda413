import type { AdvertiserId, CampaignId } from '@placard/service-kit/pure';
import type { ClosedFills } from '../domain/pacing/show-rates.js';

/** A campaign as its counters are found. */
export interface CountedCampaign {
  readonly campaignId: CampaignId;
  readonly advertiserId: AdvertiserId;
}

/** What was learned of campaigns' fills when their minutes were closed; the same for all replicas. */
export interface PaceStore {
  /** In the order of the campaigns; one without closed fills has zeros. Throws when the store cannot be reached. */
  closedFills(campaigns: readonly CountedCampaign[]): Promise<readonly ClosedFills[]>;
}
