import { expect } from 'chai';
import { makeTestRandom } from '@placard/service-kit/testing';
import { asCampaignId, type Campaign } from '@placard/service-kit/pure';
import { aCampaign, aCatalog } from '../../../test/support/world.js';
import { CandidateWalk } from './candidate-walk.js';
import { IndexBlock, type TargetingQuery } from './index-block.js';
import { toIndexed, type IndexedCampaign } from './indexed-campaign.js';

const QUERY: TargetingQuery = {
  formats: 'banner',
  countries: 'DE',
  languages: null,
  appIds: null,
  appCategories: null,
  androidVersions: null,
};
const NEVER = {
  ...makeTestRandom(1),
  next: (): number => {
    throw new Error('nothing is to be drawn');
  },
};

/** Blocks of these sizes, with falling bids over all of them; a campaign's number is its place. */
function blocksOf(sizes: readonly number[], changes: (n: number) => Partial<Campaign> = () => ({})) {
  const campaigns = Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, n) =>
    aCampaign({ id: asCampaignId(`cmp_${n}`), costNanos: BigInt(10_000 - n), ...changes(n) }),
  );
  const catalog = aCatalog({ campaigns });
  const entries = campaigns.map(({ id }) => toIndexed(catalog, id) as IndexedCampaign);
  let from = 0;
  const blocks = sizes.map((size) => new IndexBlock(entries.slice(from, (from += size))));
  const skip = (...numbers: readonly number[]): void => {
    for (const n of numbers) for (const block of blocks) block.skip(entries[n] as IndexedCampaign);
  };
  return { blocks, entries, skip };
}

const numbersOf = (entries: readonly IndexedCampaign[]): number[] =>
  entries.map(({ campaign }) => Number(campaign.id.slice(4)));

/** Takes at most so many. */
function take(walk: CandidateWalk, count = Infinity): number[] {
  const taken: IndexedCampaign[] = [];
  while (taken.length < count) {
    const entry = walk.next(NEVER);
    if (entry === null) break;
    taken.push(entry);
  }
  return numbersOf(taken);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

describe('a walk over the campaigns', () => {
  it('takes every match of every block in the order of bids, draws nothing where there is no tie, and ends', () => {
    const { blocks } = blocksOf([33, 1, 64]);
    const walk = new CandidateWalk(blocks, QUERY);
    expect(take(walk)).to.deep.equal(range(0, 98));
    expect(walk.next(NEVER)).to.equal(null);
    expect(numbersOf(walk.taken)).to.deep.equal(range(0, 98));
    expect(walk.passedOver).to.deep.equal([]);
  });

  it('finds nothing in no block, and passes blocks in which nothing matches', () => {
    expect(new CandidateWalk([], QUERY).next(NEVER)).to.equal(null);
    const { blocks } = blocksOf([2, 2, 2], (n) => (n === 1 || n === 4 ? {} : { countries: ['US'] }));
    expect(take(new CandidateWalk(blocks, QUERY))).to.deep.equal([1, 4]);
  });

  it('knows only what was taken so far', () => {
    const { blocks } = blocksOf([40]);
    const walk = new CandidateWalk(blocks, QUERY);
    take(walk, 3);
    expect(numbersOf(walk.taken)).to.deep.equal([0, 1, 2]);
  });

  it('draws each of a tie once, before any lower bid', () => {
    const { blocks } = blocksOf([3, 3], (n) => ({ costNanos: n < 5 ? 7n : 1n }));
    const random = makeTestRandom(2);
    const walk = new CandidateWalk(blocks, QUERY);
    const first = range(0, 5).map(() => walk.next(random) as IndexedCampaign);
    expect(numbersOf(first).sort()).to.deep.equal(range(0, 5));
    expect(take(walk)).to.deep.equal([5]);
  });

  it('remembers the matches that it passes over, each once, as far as it has come', () => {
    const { blocks, skip } = blocksOf([64], (n) => (n === 2 ? { countries: ['US'] } : {}));
    skip(0, 2, 3, 40);
    const walk = new CandidateWalk(blocks, QUERY);
    expect(numbersOf(walk.passedOver), 'of the first word').to.deep.equal([0, 3]);
    take(walk);
    expect(numbersOf(walk.passedOver)).to.deep.equal([0, 3, 40]);
  });

  it('remembers the first 32 that it passes over, and takes the others all the same', () => {
    const { blocks, skip } = blocksOf([20, 40, 40]);
    skip(...range(0, 60), ...range(61, 100));
    const walk = new CandidateWalk(blocks, QUERY);
    expect(take(walk)).to.deep.equal([60]);
    expect(numbersOf(walk.passedOver)).to.deep.equal(range(0, 32));
  });

  it('looks at a block of skipped campaigns as long as fewer than 32 are remembered', () => {
    const { blocks, skip } = blocksOf([31, 1, 1]);
    skip(...range(0, 33));
    const walk = new CandidateWalk(blocks, QUERY);
    expect(take(walk)).to.deep.equal([]);
    expect(numbersOf(walk.passedOver)).to.deep.equal(range(0, 32));
  });
});
