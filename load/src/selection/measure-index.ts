import type { Campaign, CampaignId, CatalogDelta, AdvertiserId } from '@placard/service-kit/pure';
import type { CampaignIndex } from '@placard/serving-service/selection/domain/campaign-index.js';
import type { Chance } from '../chance.js';
import type { BuyingSide } from './buying-side.js';
import { percentileOf, type ChangeTimes } from './figures.js';

const CHANGES = 200;

/** Kinds of changes of a campaign. */
const CAMPAIGN_CHANGES: readonly (readonly [name: string, change: (campaign: Campaign) => Campaign])[] = [
  ['bid', (campaign) => ({ ...campaign, costNanos: campaign.costNanos + 1_000n })],
  ['targeting', (campaign) => ({ ...campaign, countries: ['SE', ...campaign.countries] })],
  ['pause', (campaign) => ({ ...campaign, status: 'paused' })],
];

/** Applies changes of one campaign, and of one advertiser with ten campaigns, to the index, one after the other. */
export function measureChanges(
  index: CampaignIndex,
  side: BuyingSide,
  chance: Chance,
): readonly ChangeTimes[] {
  const ids = [...side.campaigns()].map(({ id }) => id);
  const pick = (): Campaign => {
    const campaign = side.campaign(chance.pick(ids));
    if (campaign === undefined) throw new Error('a campaign is gone');
    return campaign;
  };
  const ofCampaigns = CAMPAIGN_CHANGES.map(([name, change]) =>
    timesOf(name, () => {
      const campaign = change(pick());
      side.setCampaign(campaign);
      return () => index.apply(side, deltaOf({ campaign: campaign.id }));
    }),
  );
  const ofAdvertisers = timesOf('advertiser', () => {
    const advertiser = side.advertiser(pick().advertiserId);
    if (advertiser === undefined) throw new Error('an advertiser is gone');
    side.setAdvertiser({ ...advertiser, isApproved: !advertiser.isApproved });
    return () => index.apply(side, deltaOf({ advertiser: advertiser.id }));
  });
  return [...ofCampaigns, ofAdvertisers];
}

function timesOf(name: string, prepare: () => () => unknown): ChangeTimes {
  const times = Float64Array.from({ length: CHANGES }, () => {
    const apply = prepare();
    const startedAt = performance.now();
    apply();
    return performance.now() - startedAt;
  });
  return { name, p50: percentileOf(times, 50), max: percentileOf(times, 100) };
}

/** A change of one object, as the catalog delivers it. */
function deltaOf({
  campaign,
  advertiser,
}: {
  campaign?: CampaignId;
  advertiser?: AdvertiserId;
}): CatalogDelta {
  const none = { changed: [], removed: [] };
  const changed = <Id>(id: Id | undefined) => (id === undefined ? none : { changed: [id], removed: [] });
  return {
    version: 2,
    isGlobalChanged: false,
    publishers: none,
    apps: none,
    placements: none,
    advertisers: changed(advertiser),
    campaigns: changed(campaign),
    creatives: none,
  };
}
