import { expect } from 'chai';
import {
  asCampaignId,
  asCreativeId,
  type AdFormat,
  type Campaign,
  type Creative,
} from '@placard/service-kit/pure';
import { aCampaign, aCatalog, aCreative, anAdvertiser } from '../../../test/support/world.js';
import {
  compareIndexed,
  creativesIn,
  formatsOf,
  isSamePlace,
  targetedValues,
  toIndexed,
  type IndexedCampaign,
} from './indexed-campaign.js';

function entryOf(changes: Partial<Campaign> = {}, creatives?: readonly Creative[]): IndexedCampaign {
  const campaign = aCampaign(changes);
  const catalog = aCatalog({ campaigns: [campaign], ...(creatives === undefined ? {} : { creatives }) });
  return toIndexed(catalog, campaign.id) as IndexedCampaign;
}

const creativeOf = (name: string, format: AdFormat, isApproved = true): Creative =>
  aCreative({ id: asCreativeId(`cr_${name}`), format, isApproved });

describe('a campaign in the index', () => {
  it('is none where the campaign or its advertiser is unknown', () => {
    const catalog = aCatalog({ campaigns: [aCampaign()], advertisers: [] });
    expect(toIndexed(catalog, asCampaignId('cmp_spring'))).to.equal(null);
    expect(toIndexed(aCatalog(), asCampaignId('cmp_other'))).to.equal(null);
  });

  it('is servable when it is active and its advertiser approved', () => {
    expect(entryOf().isServable).to.equal(true);
    for (const status of ['paused', 'ended'] as const) expect(entryOf({ status }).isServable).to.equal(false);
    const catalog = aCatalog({ advertisers: [anAdvertiser({ isApproved: false })] });
    expect(toIndexed(catalog, asCampaignId('cmp_spring'))?.isServable).to.equal(false);
  });

  it('holds its approved creatives of the formats that it targets, or of all when it targets none', () => {
    const creatives = [
      creativeOf('a', 'banner'),
      creativeOf('b', 'rewarded'),
      creativeOf('c', 'banner', false),
      creativeOf('d', 'interstitial'),
    ];
    const idsOf = (formats: readonly AdFormat[]) =>
      entryOf({ formats }, creatives).creatives.map(({ id }) => id);
    expect(idsOf([])).to.deep.equal(['cr_a', 'cr_b', 'cr_d']);
    expect(idsOf(['rewarded', 'banner'])).to.deep.equal(['cr_a', 'cr_b']);
  });

  it('shares the list of the catalog where no creative is left out', () => {
    const catalog = aCatalog();
    const id = asCampaignId('cmp_spring');
    expect(toIndexed(catalog, id)?.creatives).to.equal(catalog.creativesOf(id));
  });

  it('names the formats in which it has something to show, and what that is', () => {
    const creatives = [creativeOf('a', 'rewarded'), creativeOf('b', 'banner'), creativeOf('c', 'banner')];
    const entry = entryOf({}, creatives);
    expect(formatsOf(entry)).to.deep.equal(['banner', 'rewarded']);
    expect(targetedValues(entry, 'formats')).to.deep.equal(['banner', 'rewarded']);
    expect(targetedValues(entry, 'countries')).to.equal(entry.campaign.countries);
    expect(creativesIn(entry, 'banner').map(({ id }) => id)).to.deep.equal(['cr_b', 'cr_c']);
    expect(creativesIn(entry, 'interstitial')).to.deep.equal([]);
  });

  it('stands before lower bids, and among equal bids in the order of ids', () => {
    const [low, high, same] = [
      entryOf({ id: asCampaignId('cmp_a'), costNanos: 1n }),
      entryOf({ id: asCampaignId('cmp_b'), costNanos: 2n }),
      entryOf({ id: asCampaignId('cmp_c'), costNanos: 2n }),
    ];
    expect(compareIndexed(low, high)).to.be.above(0);
    expect(compareIndexed(high, low)).to.be.below(0);
    expect(compareIndexed(high, same)).to.equal(-1);
    expect(compareIndexed(same, high)).to.equal(1);
    expect(compareIndexed(high, { ...high })).to.equal(0);
  });

  it('keeps its place as long as its bid, its targeting and its formats stay', () => {
    const entry = entryOf({ countries: ['DE'] });
    expect(isSamePlace(entry, entryOf({ countries: ['DE'], status: 'paused', pacing: 'asap' }))).to.equal(
      true,
    );
    expect(isSamePlace(entry, entryOf({ countries: ['US'] }))).to.equal(false);
    expect(isSamePlace(entry, entryOf({ countries: ['DE'], languages: ['en'] }))).to.equal(false);
    expect(isSamePlace(entry, { ...entry, rank: entry.rank + 1 })).to.equal(false);
    expect(isSamePlace(entry, { ...entry, creatives: [] })).to.equal(false);
  });
});
