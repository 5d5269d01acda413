import { makeTestRandom } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { anApp } from '../../../test/support/world.js';
import { RequestSample } from './request-sample.js';

const COUNT = 100_000;

function sampled(sample: number, app = anApp()) {
  const requests = new RequestSample({
    sample,
    random: makeTestRandom(7),
    waiting: { push: () => undefined },
  });
  return Array.from({ length: COUNT }, () => requests.take(app));
}

describe('the sample of explained requests', () => {
  it('has its share of the requests', () => {
    expect(sampled(0.01).filter((taken) => taken !== null).length).to.be.within(900, 1_100);
    expect(sampled(1).every((taken) => taken?.isSampled === true)).to.equal(true);
    expect(sampled(0).every((taken) => taken === null)).to.equal(true);
  });

  it('does not follow a period of the traffic', () => {
    const places = sampled(0.1).flatMap((taken, at) => (taken === null ? [] : [at % 10]));
    for (let place = 0; place < 10; place += 1)
      expect(places.filter((one) => one === place).length, `place ${place}`).to.be.within(850, 1_150);
  });

  it('leaves requests of a marked app that are not in the sample out of the funnels', () => {
    const taken = sampled(0.01, anApp({ isExplained: true }));
    expect(taken.every((one) => one !== null)).to.equal(true);
    expect(taken.filter((one) => one?.isSampled === true).length).to.be.within(900, 1_100);
  });
});
