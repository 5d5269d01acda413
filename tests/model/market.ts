import { makeCatalog } from '@placard/service-kit/catalog-reader';
import {
  asAdvertiserId,
  asCampaignId,
  type Advertiser,
  type Campaign,
  type CatalogDelta,
  type CatalogReader,
} from '@placard/service-kit/pure';
import {
  testAdvertiser,
  testApp,
  testCampaign,
  testCreative,
  testPlacement,
  testPublisher,
} from '@placard/service-kit/testing';

/** Each campaign's properties besides its limits. Each is the only campaign in its country. */
const KINDS = [
  { id: 'cmp_total', advertiserId: 'adv_a', costNanos: 3n, pacing: 'asap', country: 'AA' },
  { id: 'cmp_daily', advertiserId: 'adv_a', costNanos: 5n, pacing: 'asap', country: 'AB' },
  { id: 'cmp_paced', advertiserId: 'adv_b', costNanos: 2n, pacing: 'even', country: 'AC' },
  { id: 'cmp_both', advertiserId: 'adv_b', costNanos: 7n, pacing: 'asap', country: 'AD' },
] as const;
const ADVERTISERS = ['adv_a', 'adv_b'] as const;

/** Number of campaigns. */
export const CAMPAIGNS = KINDS.length;
/** Number of advertisers. */
export const ADVERTISER_COUNT = ADVERTISERS.length;

/** Limits of a market, in ads: total and day of each campaign, funds of each advertiser. Null: none. */
export interface MarketLimits {
  readonly totals: readonly (number | null)[];
  readonly days: readonly (number | null)[];
  readonly funds: readonly number[];
}

/** Two advertisers with two campaigns each, whose limits change. */
export class Market {
  readonly #campaigns: Campaign[];
  readonly #advertisers: Advertiser[];
  #version = 1;

  constructor({ totals, days, funds }: MarketLimits) {
    this.#advertisers = ADVERTISERS.map((id, at) =>
      testAdvertiser({ id, fundedNanos: BigInt(funds[at] ?? 0) * DEAREST }),
    );
    this.#campaigns = KINDS.map(({ country, ...kind }, at) =>
      testCampaign({
        ...kind,
        countries: [country],
        budgetTotalNanos: nanosOf(totals[at] ?? null, kind.costNanos),
        budgetDailyNanos: dayNanosOf(days[at] ?? null, kind),
      }),
    );
  }

  /** The current catalog. */
  get catalog(): CatalogReader {
    return makeCatalog({
      publishers: [testPublisher()],
      apps: [testApp()],
      placements: [testPlacement()],
      advertisers: this.#advertisers,
      campaigns: this.#campaigns,
      creatives: this.#campaigns.map(({ id }) =>
        testCreative({ id: `cr_${id}`, campaignId: id, width: null, height: null }),
      ),
    });
  }

  /** Changes one campaign's limits, in ads. Each limit has a rest of less than one ad. */
  limit(at: number, total: number | null, day: number | null): CatalogDelta {
    const campaign = this.campaign(at);
    this.#campaigns[at] = {
      ...campaign,
      budgetTotalNanos: nanosOf(total, campaign.costNanos),
      budgetDailyNanos: dayNanosOf(day, campaign),
    };
    return this.#delta([campaign.id], []);
  }

  /** Changes one advertiser's funds, in ads of the highest price. */
  fund(at: number, ads: number): CatalogDelta {
    const advertiser = this.#advertisers[at];
    if (advertiser === undefined) throw new Error(`there is no advertiser ${at}`);
    this.#advertisers[at] = { ...advertiser, fundedNanos: BigInt(ads) * DEAREST };
    return this.#delta([], [advertiser.id]);
  }

  /** The campaign at a place. */
  campaign(at: number): Campaign {
    const campaign = this.#campaigns[at];
    if (campaign === undefined) throw new Error(`there is no campaign ${at}`);
    return campaign;
  }

  #delta(campaigns: readonly string[], advertisers: readonly string[]): CatalogDelta {
    const none = { changed: [], removed: [] };
    this.#version += 1;
    return {
      version: this.#version,
      isGlobalChanged: false,
      publishers: none,
      apps: none,
      placements: none,
      creatives: none,
      campaigns: { changed: campaigns.map(asCampaignId), removed: [] },
      advertisers: { changed: advertisers.map(asAdvertiserId), removed: [] },
    };
  }
}

const DEAREST = 7n;

/** Daily budgets of fewer ads are not paced. */
const PACED_MIN = 100;

/** A daily budget for a number of ads. A paced campaign gets some more. */
function dayNanosOf(
  ads: number | null,
  { costNanos, pacing }: Pick<Campaign, 'costNanos' | 'pacing'>,
): bigint | null {
  return nanosOf(ads === null || pacing === 'asap' ? ads : PACED_MIN + ads, costNanos);
}

/** Money for a number of ads and a rest that is too small for one more. */
function nanosOf(ads: number | null, costNanos: bigint): bigint | null {
  return ads === null ? null : BigInt(ads) * costNanos + costNanos - 1n;
}
