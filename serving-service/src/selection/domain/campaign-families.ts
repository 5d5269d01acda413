import type { AdvertiserId, CampaignId, CatalogDelta, CreativeId } from '@placard/service-kit/pure';
import type { IndexedCatalog } from './indexed-campaign.js';

/**
 * The advertiser and the creatives of each campaign. They are stored because a removed object no longer names its
 * parent.
 */
export class CampaignFamilies {
  readonly #advertiserOf = new Map<CampaignId, AdvertiserId>();
  readonly #campaignsOf = new Map<AdvertiserId, Set<CampaignId>>();
  readonly #campaignOf = new Map<CreativeId, CampaignId>();

  /** Stores the current advertiser and creatives of a campaign. Removes a campaign that is no longer in the catalog. */
  note(catalog: IndexedCatalog, id: CampaignId): void {
    const before = this.#advertiserOf.get(id);
    const now = catalog.campaign(id)?.advertiserId;
    if (before !== undefined && before !== now) this.#forget(id, before);
    if (now !== undefined) {
      this.#advertiserOf.set(id, now);
      const siblings = this.#campaignsOf.get(now) ?? new Set();
      this.#campaignsOf.set(now, siblings.add(id));
    }
    for (const creative of catalog.creativesOf(id)) this.#campaignOf.set(creative.id, id);
  }

  /** The campaigns that a change concerns: directly, through their advertiser or through a creative. */
  touchedBy(catalog: IndexedCatalog, delta: CatalogDelta): ReadonlySet<CampaignId> {
    const touched = new Set<CampaignId>([...delta.campaigns.changed, ...delta.campaigns.removed]);
    for (const id of [...delta.advertisers.changed, ...delta.advertisers.removed]) {
      for (const campaign of this.#campaignsOf.get(id) ?? []) touched.add(campaign);
    }
    for (const id of delta.creatives.removed) {
      const campaign = this.#campaignOf.get(id);
      if (campaign !== undefined) touched.add(campaign);
      this.#campaignOf.delete(id);
    }
    for (const id of delta.creatives.changed) {
      const campaign = catalog.creative(id)?.campaignId;
      if (campaign !== undefined) touched.add(campaign);
    }
    return touched;
  }

  #forget(id: CampaignId, advertiser: AdvertiserId): void {
    this.#advertiserOf.delete(id);
    const siblings = this.#campaignsOf.get(advertiser);
    siblings?.delete(id);
    if (siblings?.size === 0) this.#campaignsOf.delete(advertiser);
  }
}
