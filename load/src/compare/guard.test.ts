import { expect } from 'chai';
import type { Round } from './compare.js';
import type { LoadFigures } from '../figures.js';
import { judgeGuard } from './guard.js';
import { guardBoundOf, targetOf, verdictOf } from './targets.js';

const round = (micros: Readonly<Record<string, number>>): Round =>
  Object.fromEntries(
    Object.entries(micros).map(([step, cpuMicrosPerCall]) => [step, { cpuMicrosPerCall } as LoadFigures]),
  ) as unknown as Round;
const usual = { skeleton: 400, session: 160, request: 300, impression: 360 };

describe('the guard of the price', () => {
  it('passes at the targets', () => {
    const { isPassed, verdict } = judgeGuard({ rounds: [round(usual)] }, 64);
    expect(isPassed).to.equal(true);
    expect(verdict).to.contain('request 0.75 × skeleton (bound 1.01)');
  });

  it('fails when the median of one call is above its bound, and gives the next step', () => {
    const dear = round({ ...usual, impression: 500 });
    const { isPassed, verdict } = judgeGuard({ rounds: [round(usual), dear, dear] }, 64);
    expect(isPassed).to.equal(false);
    expect(verdict)
      .to.contain('impression 1.25 × skeleton (bound 1.22)')
      .and.to.contain('npm run load -- bill');
  });

  it('passes when only a single round is expensive', () => {
    const dear = round({ ...usual, impression: 900 });
    expect(judgeGuard({ rounds: [round(usual), dear, round(usual)] }, 64).isPassed).to.equal(true);
  });

  it('does not pass without a figure or without a bound', () => {
    expect(judgeGuard({ rounds: [] }, 64).isPassed).to.equal(false);
    expect(judgeGuard({ rounds: [round(usual)] }, 5).isPassed).to.equal(false);
  });
});

describe('the targets', () => {
  it('are set for 16 and 64 pending calls, with higher bounds for the guard', () => {
    expect([targetOf('request', 16), targetOf('request', 64), targetOf('request', 32)]).to.deep.equal([
      0.9,
      0.75,
      null,
    ]);
    expect([targetOf('skeleton', 64), guardBoundOf('plain', 64)]).to.deep.equal([null, null]);
    expect(guardBoundOf('session', 64)).to.be.above(0.4);
  });

  it('are met or missed', () => {
    expect([verdictOf(0.75, 0.75), verdictOf(0.76, 0.75), verdictOf(1, null)]).to.deep.equal([
      '≤ 0.75, met',
      '≤ 0.75, missed',
      '–',
    ]);
  });
});
