import { expect } from 'chai';
import {
  asAdvertiserId,
  asCampaignId,
  asCreativeId,
  type Campaign,
  type CatalogDelta,
  type CatalogReader,
  type Creative,
} from '@placard/service-kit/pure';
import { aCampaign, aCatalog, aCreative, anAdvertiser, deltaOf } from '../../../test/support/world.js';
import { CampaignFamilies } from './campaign-families.js';

const [A, B] = ['cmp_a', 'cmp_b'].map(asCampaignId) as [Campaign['id'], Campaign['id']];
const [NORTH, SOUTH] = ['adv_north', 'adv_south'].map(asAdvertiserId) as [
  Campaign['advertiserId'],
  Campaign['advertiserId'],
];
const NONE = { changed: [], removed: [] };

function catalogOf(campaigns: readonly Campaign[], creatives: readonly Creative[] = []): CatalogReader {
  return aCatalog({ advertisers: [NORTH, SOUTH].map((id) => anAdvertiser({ id })), campaigns, creatives });
}

describe('the campaigns that a change touches', () => {
  const north = aCampaign({ id: A, advertiserId: NORTH });
  const south = aCampaign({ id: B, advertiserId: SOUTH });
  const creative = aCreative({ id: asCreativeId('cr_a'), campaignId: A });
  let families: CampaignFamilies;
  beforeEach(() => {
    families = new CampaignFamilies();
    const catalog = catalogOf([north, south], [creative]);
    for (const id of [A, B]) families.note(catalog, id);
  });

  const touched = (changes: Partial<CatalogDelta>, catalog = catalogOf([north, south], [creative])) =>
    [...families.touchedBy(catalog, { ...deltaOf([]), ...changes })].sort();

  it('are none when nothing of them changes', () => {
    expect(touched({})).to.deep.equal([]);
    expect(touched({ advertisers: { changed: [asAdvertiserId('adv_new')], removed: [] } })).to.deep.equal([]);
    expect(touched({ creatives: { changed: [], removed: [asCreativeId('cr_new')] } })).to.deep.equal([]);
  });

  it('are those that change or go themselves', () => {
    expect(touched({ campaigns: { changed: [A], removed: [] } })).to.deep.equal([A]);
    expect(touched({ campaigns: { changed: [], removed: [B] } })).to.deep.equal([B]);
  });

  it('are all of an advertiser that changes or goes', () => {
    expect(touched({ advertisers: { changed: [NORTH], removed: [] } })).to.deep.equal([A]);
    expect(touched({ advertisers: { changed: [], removed: [SOUTH] } })).to.deep.equal([B]);
    families.note(catalogOf([north, { ...south, advertiserId: NORTH }]), B);
    expect(touched({ advertisers: { changed: [NORTH], removed: [] } })).to.deep.equal([A, B]);
    expect(touched({ advertisers: { changed: [SOUTH], removed: [] } })).to.deep.equal([]);
  });

  it('are no more those of its advertiser once they are gone', () => {
    families.note(catalogOf([south]), A);
    expect(touched({ advertisers: { changed: [NORTH, SOUTH], removed: [] } })).to.deep.equal([B]);
  });

  it('are that of a creative that changes, and that of one that is gone, once', () => {
    const gone = { ...NONE, removed: [creative.id] };
    expect(touched({ creatives: { changed: [creative.id], removed: [] } })).to.deep.equal([A]);
    expect(touched({ creatives: gone }, catalogOf([north, south]))).to.deep.equal([A]);
    expect(touched({ creatives: gone }, catalogOf([north, south]))).to.deep.equal([]);
  });

  it('are that to which a new creative belongs, and none for a creative that the catalog does not hold', () => {
    const added = aCreative({ id: asCreativeId('cr_b'), campaignId: B });
    const creatives = { changed: [added.id], removed: [] };
    expect(touched({ creatives }, catalogOf([north, south], [added]))).to.deep.equal([B]);
    expect(touched({ creatives }, catalogOf([north, south]))).to.deep.equal([]);
  });
});
