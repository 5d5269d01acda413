import { expect } from 'chai';
import { asAppId, asCampaignId, type Campaign } from '@placard/service-kit/pure';
import { aCampaign, aCatalog } from '../../../test/support/world.js';
import { IndexBlock, matchWord, type TargetingQuery } from './index-block.js';
import { compareIndexed, toIndexed, type IndexedCampaign } from './indexed-campaign.js';

const ANY: TargetingQuery = {
  formats: 'banner',
  countries: null,
  languages: null,
  appIds: null,
  appCategories: null,
  androidVersions: null,
};

/** Campaigns of falling bids, so that their place is their number. */
function entriesOf(count: number, changes: (n: number) => Partial<Campaign> = () => ({})): IndexedCampaign[] {
  const campaigns = Array.from({ length: count }, (_, n) =>
    aCampaign({ id: asCampaignId(`cmp_${n}`), costNanos: BigInt(1_000 - n), ...changes(n) }),
  );
  const catalog = aCatalog({ campaigns });
  return campaigns.map(({ id }) => toIndexed(catalog, id) as IndexedCampaign);
}

/** The places that a query finds among the live ones. */
function found(block: IndexBlock, query: Partial<TargetingQuery> = {}): number[] {
  const asked = block.query({ ...ANY, ...query });
  if (asked === null) return [];
  return Array.from({ length: asked.words }, (_, word) => matchWord(asked, word, asked.live[word] as number))
    .flatMap((bits, word) =>
      Array.from({ length: 32 }, (_, bit) => ((bits >>> bit) & 1 ? word * 32 + bit : -1)),
    )
    .filter((place) => place >= 0);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

describe('a block of the index', () => {
  for (const count of [1, 31, 32, 33, 64, 65]) {
    it(`of ${count} campaigns finds each of them at its place, and nobody behind them`, () => {
      expect(found(new IndexBlock(entriesOf(count)))).to.deep.equal(range(0, count));
    });
  }

  const targeted: readonly (readonly [string, Partial<Campaign>, Partial<TargetingQuery>])[] = [
    ['a country', { countries: ['DE'] }, { countries: 'DE' }],
    ['a language', { languages: ['en'] }, { languages: 'en' }],
    ['an app', { appIds: [asAppId('app_a')] }, { appIds: 'app_a' }],
    ['a category', { appCategories: ['games'] }, { appCategories: 'games' }],
    ['a version of Android', { androidVersions: [14] }, { androidVersions: '14' }],
  ];
  for (const [what, changes, query] of targeted) {
    it(`finds who targets ${what} only for a request of it, and who targets none always`, () => {
      const block = new IndexBlock(entriesOf(34, (n) => (n % 33 === 0 ? changes : {})));
      const [key] = Object.keys(query) as [keyof TargetingQuery];
      expect(found(block, query)).to.deep.equal(range(0, 34));
      const others = range(1, 33);
      expect(found(block, { [key]: 'other' })).to.deep.equal(others);
      expect(found(block, { [key]: null })).to.deep.equal(others);
    });
  }

  it('answers that nothing can match in a format that nobody shows', () => {
    const block = new IndexBlock(entriesOf(3));
    expect(block.query({ ...ANY, formats: 'rewarded' })).to.equal(null);
    expect(block.query({ ...ANY, formats: null })).to.equal(null);
    expect(block.query(ANY)).not.to.equal(null);
  });

  it('leaves out who is not servable, and says whether anybody is left', () => {
    const block = new IndexBlock(entriesOf(3, (n) => ({ status: n === 1 ? 'active' : 'paused' })));
    expect(found(block)).to.deep.equal([1]);
    expect(block.hasLive).to.equal(true);
    expect(new IndexBlock(entriesOf(3, () => ({ status: 'paused' }))).hasLive).to.equal(false);
    expect(new IndexBlock([]).hasLive).to.equal(false);
  });

  it('passes over who is skipped, in every word, until it is retried', () => {
    const entries = entriesOf(34);
    const block = new IndexBlock([...entries]);
    for (const entry of entries) block.skip(entry);
    expect(found(block)).to.deep.equal([]);
    expect(block.hasLive).to.equal(false);
    expect(block.skipped()).to.deep.equal(entries);
    block.retry(entries[33] as IndexedCampaign);
    expect(found(block)).to.deep.equal([33]);
    expect(block.hasLive).to.equal(true);
    expect(block.skipped()).to.deep.equal(entries.slice(0, 33));
    block.skip(entries[33] as IndexedCampaign);
    block.skip(entries[33] as IndexedCampaign);
    expect(block.hasLive, 'skipped twice').to.equal(false);
    block.retry(entries[0] as IndexedCampaign);
    block.retry(entries[1] as IndexedCampaign);
    block.skip(entries[0] as IndexedCampaign);
    expect(block.hasLive, 'one of two in a word').to.equal(true);
  });

  it('skips nobody for an entry that it does not hold, and retries whatever entry of a campaign it holds', () => {
    const entries = entriesOf(3);
    const block = new IndexBlock([...entries]);
    const other = { ...(entries[1] as IndexedCampaign) };
    block.skip(other);
    expect(block.skipped(), 'an entry of before').to.deep.equal([]);
    const stranger = entriesOf(9)[8] as IndexedCampaign;
    block.skip(stranger);
    block.skip(entries[1] as IndexedCampaign);
    block.retry(stranger);
    expect(block.skipped()).to.deep.equal([entries[1]]);
    const another = entriesOf(3, (n) => ({ id: asCampaignId(`cmp_${n}_`) }))[1] as IndexedCampaign;
    block.retry(another);
    expect(block.skipped(), 'another campaign’s entry').to.deep.equal([entries[1]]);
    const rival = entriesOf(3, (n) => ({ id: asCampaignId(`cmp_${n - 1}_`) }))[1] as IndexedCampaign;
    block.retry(rival);
    expect(block.skipped(), 'the entry of a campaign that would stand in its place').to.deep.equal([
      entries[1],
    ]);
    block.retry(other);
    expect(block.skipped()).to.deep.equal([]);
  });

  it('takes a new entry of a campaign in its place, servable or not, and no longer skips it', () => {
    const entries = entriesOf(34);
    const block = new IndexBlock([...entries]);
    const last = entries[33] as IndexedCampaign;
    const paused = { ...last, isServable: false };
    block.skip(last);
    block.replace(last, paused);
    expect(found(block)).to.deep.equal(range(0, 33));
    expect(block.skipped()).to.deep.equal([]);
    expect(block.entries[33]).to.equal(paused);
    block.replace(paused, last);
    expect(found(block)).to.deep.equal(range(0, 34));
  });

  it('refuses to replace an entry that it does not hold', () => {
    const block = new IndexBlock(entriesOf(1));
    const stranger = entriesOf(2)[1] as IndexedCampaign;
    expect(() => block.replace(stranger, stranger)).to.throw('campaign cmp_1 is not in its block');
  });

  it('is merged with others in the order of the index, without those that are removed', () => {
    const entries = entriesOf(4);
    const block = new IndexBlock([entries[1], entries[3]] as IndexedCampaign[]);
    const added = [entries[2], entries[0]] as IndexedCampaign[];
    expect(block.merged(new Set(), added)).to.deep.equal(entries);
    expect(block.merged(new Set(['cmp_1']), added)).to.deep.equal([entries[0], entries[2], entries[3]]);
    expect(block.merged(new Set(['cmp_3']), [])).to.deep.equal([entries[1]]);
    expect([...entries].reverse().sort(compareIndexed)).to.deep.equal(entries);
  });
});
