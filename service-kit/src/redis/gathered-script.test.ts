import { expect } from 'chai';
import { gatherScript } from './gathered-script.js';
import type { RedisClient } from './redis-connection.js';

/** Doubles numbers, and notes the numbers of each run. */
function makeDoubling({ isCluster = false, itemsMax = 10 } = {}) {
  const runs: (readonly number[])[] = [];
  let failure: Error | null = null;
  const double = gatherScript<number, number>({ isCluster } as RedisClient, null, {
    name: 'double',
    itemsMax,
    tagOf: (item) => String(item % 2),
    run: (items) => {
      runs.push(items);
      return failure === null ? Promise.resolve(items.map((item) => 2 * item)) : Promise.reject(failure);
    },
  });
  return { double, runs, fail: (error: Error | null) => (failure = error) };
}

describe('a gathered script', () => {
  it('carries out the items of one turn of the event loop in one run, in their order', async () => {
    const { double, runs } = makeDoubling();
    expect(await Promise.all([1, 2, 3].map(double))).to.deep.equal([2, 4, 6]);
    expect(await double(4)).to.equal(8);
    expect(runs).to.deep.equal([[1, 2, 3], [4]]);
  });

  it('carries out no more items in one run than it may', async () => {
    const { double, runs } = makeDoubling({ itemsMax: 2 });
    expect(await Promise.all([1, 2, 3, 4, 5].map(double))).to.deep.equal([2, 4, 6, 8, 10]);
    expect(runs).to.deep.equal([[1, 2], [3, 4], [5]]);
  });

  it('shares no run between hash tags on a cluster', async () => {
    const { double, runs } = makeDoubling({ isCluster: true, itemsMax: 2 });
    expect(await Promise.all([1, 2, 3, 4, 5].map(double))).to.deep.equal([2, 4, 6, 8, 10]);
    expect(runs).to.deep.equal([[1, 3], [2, 4], [5]]);
  });

  it('fails for each item of a run that fails, and for no other', async () => {
    const { double, fail } = makeDoubling();
    fail(new Error('away'));
    const failed = await Promise.allSettled([1, 2].map(double));
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    fail(null);
    expect(await double(3)).to.equal(6);
  });
});
