import {
  AD_FORMATS,
  TARGETING_KEYS,
  type AdFormat,
  type Advertiser,
  type Campaign,
  type CampaignId,
  type CatalogReader,
  type Creative,
  type TargetingKey,
} from '@placard/service-kit/pure';

/** The parts of a catalog that an index needs. */
export type IndexedCatalog = Pick<
  CatalogReader,
  'campaign' | 'campaigns' | 'advertiser' | 'creative' | 'creativesOf'
>;

/** A campaign with the data for selection. It is made again when any of its parts changes. */
export interface IndexedCampaign {
  readonly campaign: Campaign;
  readonly advertiser: Advertiser;
  /** The part of step 4 that the catalog alone decides: the campaign is active and its advertiser is approved. */
  readonly isServable: boolean;
  /** The price in nano-units as a number, for ordering only. Bids are at most 10,000, so it is exact. */
  readonly rank: number;
  /**
   * Approved creatives in formats that the campaign targets. If that is all of them, the list of the catalog itself.
   */
  readonly creatives: readonly Creative[];
}

/**
 * The entry of a campaign. Null: the campaign or its advertiser is unknown.
 * Contract: docs/contract/selection.md#selection-order.
 */
export function toIndexed(catalog: IndexedCatalog, id: CampaignId): IndexedCampaign | null {
  const campaign = catalog.campaign(id);
  const advertiser = campaign && catalog.advertiser(campaign.advertiserId);
  if (campaign === undefined || advertiser === undefined) return null;
  const isShown = ({ isApproved, format }: Creative): boolean => isApproved && targets(campaign, format);
  const all = catalog.creativesOf(id);
  const creatives = all.every(isShown) ? all : all.filter(isShown);
  const isServable = campaign.status === 'active' && advertiser.isApproved;
  return { campaign, advertiser, isServable, rank: Number(campaign.costNanos), creatives };
}

function targets(campaign: Campaign, format: AdFormat): boolean {
  return campaign.formats.length === 0 || campaign.formats.includes(format);
}

/** The formats in which the campaign has a creative. */
export function formatsOf(entry: IndexedCampaign): readonly AdFormat[] {
  return AD_FORMATS.filter((format) => entry.creatives.some((creative) => creative.format === format));
}

/** The creatives of the campaign in a format. */
export function creativesIn(entry: IndexedCampaign, format: AdFormat): readonly Creative[] {
  return entry.creatives.filter((creative) => creative.format === format);
}

/** The order of the index: highest bid first. Equal bids are ordered by id, only to make the order total. */
export function compareIndexed(a: IndexedCampaign, b: IndexedCampaign): number {
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.campaign.id === b.campaign.id) return 0;
  return a.campaign.id < b.campaign.id ? -1 : 1;
}

/** Whether two entries of one campaign have the same position and match the same requests. */
export function isSamePlace(a: IndexedCampaign, b: IndexedCampaign): boolean {
  return a.rank === b.rank && placeText(a) === placeText(b);
}

function placeText(entry: IndexedCampaign): string {
  return JSON.stringify(TARGETING_KEYS.map((key) => targetedValues(entry, key)));
}

/** The accepted values of one targeting list. Empty means any, except for formats, where it means none. */
export function targetedValues(entry: IndexedCampaign, key: TargetingKey): readonly (string | number)[] {
  return key === 'formats' ? formatsOf(entry) : entry.campaign[key];
}
