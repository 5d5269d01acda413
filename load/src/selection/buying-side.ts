import {
  asAdvertiserId,
  asCampaignId,
  asCreativeId,
  defaultValuesOf,
  FIELDS,
  parseAmount,
  type Advertiser,
  type AdvertiserId,
  type Campaign,
  type CampaignId,
  type Creative,
  type CreativeId,
  type FrequencyCap,
} from '@placard/service-kit/pure';
import type { IndexedCatalog } from '@placard/serving-service/selection/domain/indexed-campaign.js';
import { costOf, type AdvertiserEntry, type CampaignEntry, type CreativeEntry } from '../market/campaigns.js';

/** The campaigns of a generated catalog with their advertisers and creatives, in memory and changeable. */
export class BuyingSide implements IndexedCatalog {
  readonly #advertisers = new Map<AdvertiserId, Advertiser>();
  readonly #campaigns = new Map<CampaignId, Campaign>();
  readonly #creatives = new Map<CreativeId, Creative>();
  readonly #creativesOf = new Map<CampaignId, readonly Creative[]>();

  constructor(advertisers: readonly AdvertiserEntry[]) {
    for (const entry of advertisers) {
      const advertiserId = asAdvertiserId(entry.id);
      this.#advertisers.set(advertiserId, toAdvertiser(entry));
      for (const campaignEntry of entry.campaigns) {
        const campaign = toCampaign(campaignEntry, advertiserId);
        this.#campaigns.set(campaign.id, campaign);
        const creatives = campaignEntry.creatives.map((creative) => toCreative(creative, campaign.id));
        this.#creativesOf.set(campaign.id, creatives);
        for (const creative of creatives) this.#creatives.set(creative.id, creative);
      }
    }
  }

  advertiser(id: AdvertiserId): Advertiser | undefined {
    return this.#advertisers.get(id);
  }
  campaign(id: CampaignId): Campaign | undefined {
    return this.#campaigns.get(id);
  }
  campaigns(): Iterable<Campaign> {
    return this.#campaigns.values();
  }
  creative(id: CreativeId): Creative | undefined {
    return this.#creatives.get(id);
  }
  creativesOf(id: CampaignId): readonly Creative[] {
    return this.#creativesOf.get(id) ?? [];
  }

  /** Replaces an advertiser. */
  setAdvertiser(advertiser: Advertiser): void {
    this.#advertisers.set(advertiser.id, advertiser);
  }
  /** Replaces a campaign. */
  setCampaign(campaign: Campaign): void {
    this.#campaigns.set(campaign.id, campaign);
  }
}

function toAdvertiser({ id, balance }: AdvertiserEntry): Advertiser {
  return { id: asAdvertiserId(id), isApproved: true, fundedNanos: parseAmount(String(balance)) ?? 0n };
}

function toCampaign(entry: CampaignEntry, advertiserId: AdvertiserId): Campaign {
  const { countries, pacing } = entry;
  const amount = (text: string | null): bigint | null => (text === null ? null : parseAmount(text));
  return {
    ...defaultValuesOf('campaign'),
    ...targetingOf(entry),
    id: asCampaignId(entry.id),
    advertiserId,
    costNanos: costOf(entry),
    budgetTotalNanos: amount(entry.budget_total),
    budgetDailyNanos: amount(entry.budget_daily),
    pacing,
    countries,
    frequencyCap: entry.frequency_cap as FrequencyCap | null,
  };
}

function targetingOf({ targeting }: CampaignEntry): Partial<Campaign> {
  const given = FIELDS.campaign.flatMap(([key, { name }]) => {
    const values = targeting[name.replace('targeting.', '')];
    return values === undefined ? [] : [[key, values] as const];
  });
  return Object.fromEntries(given);
}

function toCreative(entry: CreativeEntry, campaignId: CampaignId): Creative {
  const { format, type, url, width, height } = entry;
  return {
    id: asCreativeId(entry.id),
    campaignId,
    format,
    type,
    url,
    width,
    height,
    clickUrl: entry.click_url,
    durationSeconds: entry.duration_seconds,
    isApproved: true,
  };
}
