import {
  toIndexed,
  type IndexedCampaign,
} from '@placard/serving-service/selection/domain/indexed-campaign.js';
import { makeMarket } from '../market/market.js';
import { BuyingSide } from '../selection/buying-side.js';

/** Ads of a daily budget. With a request every ten seconds it is not used up, and a paced campaign is not ahead of its plan. */
const DAILY_ADS = 40_000n;
const TOTAL_ADS = 10_000_000n;

/** Campaigns of a generated catalog: a third is paced, a third has a daily budget without pacing, a third a total budget. */
export function makeLeasedCampaigns(count: number, seed: number): readonly IndexedCampaign[] {
  const side = new BuyingSide(makeMarket(count, seed).advertisers);
  return [...side.campaigns()].flatMap((campaign, at) => {
    const { costNanos } = campaign;
    side.setCampaign({
      ...campaign,
      pacing: at % 3 === 0 ? 'even' : 'asap',
      budgetDailyNanos: at % 3 === 2 ? null : DAILY_ADS * costNanos,
      budgetTotalNanos: at % 3 === 2 ? TOTAL_ADS * costNanos : null,
    });
    return toIndexed(side, campaign.id) ?? [];
  });
}
