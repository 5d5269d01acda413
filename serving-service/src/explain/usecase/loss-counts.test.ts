import { asCampaignId, HOUR_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { NOON } from '../../../test/support/world.js';
import { LossCounts, RIVALS_MAX } from './loss-counts.js';

const PROBE = asCampaignId('cmp_probe');
const HOUR = NOON / HOUR_MS;
const rivalOf = (n: number) => asCampaignId(`cmp_rival_${n}`);

describe('counts of lost requests', () => {
  it('add up by hour, campaign and step, and are taken once', () => {
    const counts = new LossCounts();
    const loss = { atMs: NOON, campaignId: PROBE, step: 'country', rival: null } as const;
    counts.add(loss, 100);
    counts.add(loss, 150);
    counts.add({ ...loss, atMs: NOON + HOUR_MS }, 100);
    const row = { campaignId: PROBE, step: 'country', rival: null };
    expect(counts.take(10)).to.deep.equal([
      { ...row, hour: HOUR, requests: 250, samples: 2 },
      { ...row, hour: HOUR + 1, requests: 100, samples: 1 },
    ]);
    expect(counts.take(10)).to.deep.equal([]);
  });

  it('are taken in parts, longest wait first', () => {
    const counts = new LossCounts();
    for (let n = 0; n < 3; n += 1)
      counts.add({ atMs: NOON, campaignId: rivalOf(n), step: 'status', rival: null }, 1);
    expect(counts.take(2).map(({ campaignId }) => campaignId)).to.deep.equal([rivalOf(0), rivalOf(1)]);
    expect(counts.size).to.equal(1);
  });

  it('name a bounded number of winners for each campaign and hour, and count the others without a name', () => {
    const counts = new LossCounts();
    const lose = (rival: number, atMs = NOON) =>
      counts.add({ atMs, campaignId: PROBE, step: 'outbid', rival: rivalOf(rival) }, 1);
    for (let n = 0; n < RIVALS_MAX + 3; n += 1) lose(n);
    expect(counts.take(100).filter(({ rival }) => rival !== null)).to.have.length(RIVALS_MAX);
    lose(RIVALS_MAX);
    lose(0);
    lose(RIVALS_MAX, NOON + HOUR_MS);
    expect(counts.take(100).map(({ rival }) => rival)).to.deep.equal([null, rivalOf(0), rivalOf(RIVALS_MAX)]);
  });
});
