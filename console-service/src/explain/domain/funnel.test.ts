import { SELECTION_STEPS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { toFunnel, type FunnelHour } from './funnel.js';

const loss = (step: string, requests: number, rival = '') => ({
  step,
  rival,
  requests: BigInt(requests),
  samples: BigInt(requests / 100),
});

const hour = (at: number, changes: Partial<FunnelHour>): FunnelHour => ({
  hour: BigInt(at),
  losses: [],
  fills: 0n,
  impressions: 0n,
  clicks: 0n,
  ...changes,
});

describe('the funnel of a campaign', () => {
  const funnel = toFunnel([
    hour(1, { losses: [loss('country', 700), loss('outbid', 200, 'cmp_b')], fills: 5n, impressions: 4n }),
    hour(2, {
      losses: [loss('country', 300), loss('outbid', 300, 'cmp_c'), loss('outbid', 100)],
      fills: 2n,
      clicks: 1n,
    }),
  ]);

  it('has every step in the order of selection', () => {
    expect(funnel.steps.map(({ step }) => step)).to.deep.equal([...SELECTION_STEPS]);
    const lost = funnel.steps.filter((one) => one.lost > 0);
    expect(lost).to.deep.equal([
      { step: 'country', lost: 1_000 },
      { step: 'outbid', lost: 600 },
    ]);
  });

  it('counts every candidate once: lost or filled', () => {
    expect([funnel.candidates, funnel.fills]).to.deep.equal([1_607, 7]);
    expect([funnel.impressions, funnel.clicks]).to.deep.equal([4, 1]);
  });

  it('names the campaigns that outbid it, the most frequent first', () => {
    expect(funnel.outbidBy).to.deep.equal([
      { campaign: 'cmp_c', count: 300 },
      { campaign: 'cmp_b', count: 200 },
    ]);
  });

  it('says which share of its lost requests was judged', () => {
    expect(funnel.sampled).to.equal(0.01);
    expect(toFunnel([]).sampled).to.equal(null);
    const judged = (samples: bigint) =>
      toFunnel([hour(1, { losses: [{ ...loss('country', 100_000), samples }] })]).sampled;
    expect([99_999n, 100_000n].map(judged), 'only all of them are 1').to.deep.equal([0.9999, 1]);
  });

  it('shows a step of a newer release after the others', () => {
    const newer = toFunnel([hour(1, { losses: [loss('blocklist', 100)] })]);
    expect(newer.steps.at(-1)).to.deep.equal({ step: 'blocklist', lost: 100 });
    expect(newer.candidates).to.equal(100);
  });
});
