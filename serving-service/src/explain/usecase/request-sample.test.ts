import { makeTestRandom } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { anApp, NOON } from '../../../test/support/world.js';
import { JUDGED_MAX, WINDOW_MS } from '../domain/funnel-share.js';
import { RequestSample } from './request-sample.js';

const COUNT = 100_000;

/** Requests that are spread over so many windows, in a catalog of so many campaigns. */
function taken(sample: number, { app = anApp(), windows = 1, campaigns = 10, count = COUNT } = {}) {
  const requests = new RequestSample({
    sample,
    random: makeTestRandom(7),
    index: { size: campaigns },
    waiting: { push: () => undefined },
  });
  return Array.from({ length: count }, (_, n) =>
    requests.take(app, NOON + Math.floor((n * windows * WINDOW_MS) / count)),
  );
}

const keptOf = (sample: number, app = anApp()) => taken(sample, { app }).map((one) => one?.isKept === true);

describe('the sample of kept explanations', () => {
  it('has its share of the requests', () => {
    expect(keptOf(0.01).filter((isKept) => isKept).length).to.be.within(900, 1_100);
    expect(keptOf(1)).to.not.include(false);
    expect(keptOf(0)).to.not.include(true);
  });

  it('does not follow a period of the traffic', () => {
    const places = keptOf(0.1).flatMap((isKept, at) => (isKept ? [at % 10] : []));
    for (let place = 0; place < 10; place += 1)
      expect(places.filter((one) => one === place).length, `place ${place}`).to.be.within(850, 1_150);
  });

  it('has every request of a marked app', () => {
    expect(keptOf(0.01, anApp({ isExplained: true }))).to.not.include(false);
  });
});

describe('the requests that count in funnels', () => {
  const weightsOf = (requests: ReturnType<typeof taken>) => requests.flatMap((one) => one?.weight ?? []);

  it('are all of them while they are few, whatever share of the explanations is kept', () => {
    for (const sample of [0, 0.01, 1])
      expect(weightsOf(taken(sample, { count: JUDGED_MAX }))).to.deep.equal(Array(JUDGED_MAX).fill(1));
  });

  it('are some of many, which stand for all of them', () => {
    const weights = weightsOf(taken(0.01, { windows: 10 }));
    expect(weights.length).to.be.below(JUDGED_MAX * 10 * 1.5);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).to.be.within(COUNT * 0.95, COUNT * 1.05);
  });

  it('are fewer in a large catalog, and stand for all of them too', () => {
    const [small, large] = [10, 20_000].map((campaigns) => weightsOf(taken(0, { windows: 10, campaigns })));
    expect(large?.length).to.be.below((small?.length ?? 0) / 2);
    expect(large?.reduce((sum, weight) => sum + weight, 0)).to.be.within(COUNT * 0.9, COUNT * 1.1);
  });
});
