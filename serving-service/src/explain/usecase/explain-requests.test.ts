import { makeTestRandom } from '@placard/service-kit/testing';
import {
  asCampaignId,
  asRequestId,
  asSessionId,
  type Campaign,
  type CampaignId,
  type SelectionStep,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makeMemoryCaps } from '../../../test/support/memory-stores.js';
import { aCampaign, aCatalog, anAdRequest, anApp, aPlacement, NOON } from '../../../test/support/world.js';
import { campaignUnit } from '../../caps/domain/caps.js';
import type { CapStore } from '../../caps/store/cap-store.js';
import { CampaignIndex } from '../../selection/domain/campaign-index.js';
import type { ExplainedRequest } from '../domain/explained-request.js';
import { WHOLE_CAMPAIGNS_MAX } from '../domain/funnel-share.js';
import { makeExplainRequests, PART_CAMPAIGNS } from './explain-requests.js';
import { LossCounts } from './loss-counts.js';
import type { AnsweredRequest } from './request-sample.js';

const WINNER = asCampaignId('cmp_winner');
const CAPPED = asCampaignId('cmp_capped');
const CHEAP = asCampaignId('cmp_cheap');
const CAPPED_CAMPAIGN = {
  id: CAPPED,
  frequencyCap: { count: 1, period: 'session' },
  costNanos: 9_000n,
} as const;

function open(campaigns: readonly Campaign[], { caps = cappedStore() } = {}) {
  const losses = new LossCounts();
  const kept: ExplainedRequest[] = [];
  const looked: CampaignId[] = [];
  const explain = makeExplainRequests({
    losses,
    caps,
    random: makeTestRandom(5),
    index: CampaignIndex.of(aCatalog({ campaigns })),
    headroom: { reasonOf: () => null, leftOf: () => ({ totalNanos: null, dailyNanos: null }) },
    exchanger: { look: ({ campaign }) => looked.push(campaign.id) },
    kept: { push: (...items) => kept.push(...items) },
  });
  return {
    kept,
    looked,
    losses: () =>
      losses
        .take(10_000)
        .map(({ campaignId, step, rival, requests }) => ({ campaignId, step, rival, requests }))
        .sort((a, b) => a.campaignId.localeCompare(b.campaignId)),
    ask: (changes: Partial<AnsweredRequest> = {}, weight: number | null = 1) =>
      explain([{ isKept: true, weight, answered: { ...answered(), ...changes } }]),
  };
}

function cappedStore(): CapStore {
  return makeMemoryCaps(new Map([[campaignUnit(CAPPED), 1]]));
}

function answered(): AnsweredRequest {
  return {
    requestId: asRequestId(`req_${'0'.repeat(32)}`),
    atMs: NOON,
    request: anAdRequest(),
    slot: { app: anApp(), placement: aPlacement() },
    sessionId: asSessionId('ses_1'),
    result: 'fill',
    winner: WINNER,
    endedAt: null,
  };
}

const loss = (
  campaignId: CampaignId,
  step: SelectionStep,
  rival: CampaignId | null = null,
  requests = 1,
) => ({
  campaignId,
  step,
  rival,
  requests,
});

describe('the explanation of an answered request', () => {
  const campaigns = [
    aCampaign({ id: WINNER, costNanos: 5_000n }),
    aCampaign(CAPPED_CAMPAIGN),
    aCampaign({ id: CHEAP, costNanos: 4_000n }),
  ];

  it('counts each campaign but the winner at the step where it lost, with the campaign that outbid it', async () => {
    const { ask, losses, looked } = open(campaigns);
    await ask();
    expect(losses()).to.deep.equal([loss(CAPPED, 'cap'), loss(CHEAP, 'outbid', WINNER)]);
    expect(looked, 'its budget is checked').to.deep.equal([CHEAP]);
  });

  it('counts every campaign at the step that ended the request', async () => {
    const { ask, losses } = open(campaigns);
    await ask({ winner: null, result: 'serving_disabled', endedAt: 'app' });
    expect(losses().map(({ step }) => step)).to.deep.equal(['app', 'app', 'app']);
  });

  it('stands for as many requests as its weight', async () => {
    const { ask, losses } = open(campaigns);
    await ask({}, 100);
    expect(losses().map(({ requests }) => requests)).to.deep.equal([100, 100]);
  });

  it('stands for whole numbers of requests, with the right mean', async () => {
    const { ask, losses } = open(campaigns);
    const requests = 1_000;
    for (let n = 0; n < requests; n += 1) await ask({}, 2.5);
    const counted = losses();
    expect(counted).to.have.length(2);
    for (const one of counted) {
      expect(one.requests / requests).to.be.within(2.45, 2.55);
      expect(Number.isInteger(one.requests)).to.equal(true);
    }
  });

  it('keeps a request that is not judged for funnels without counting it', async () => {
    const { ask, losses, kept } = open(campaigns);
    await ask({}, null);
    expect(losses()).to.deep.equal([]);
    expect(kept.map(({ winner, candidateCount }) => [winner, candidateCount])).to.deep.equal([[WINNER, 3]]);
    expect(kept[0]?.candidates.map(({ lostAt }) => lostAt)).to.deep.equal([null, 'outbid', 'cap']);
  });

  it('goes on without caps while Redis is down', async () => {
    const caps = { ...cappedStore(), counts: () => Promise.reject(new Error('down')) };
    const { ask, losses } = open(campaigns, { caps });
    await ask();
    expect(losses()[0]).to.deep.equal(loss(CAPPED, 'balance'));
  });

  it('looks at a random part of a large catalog, whose counts stand for all of it', async () => {
    const count = WHOLE_CAMPAIGNS_MAX + PART_CAMPAIGNS;
    const many = Array.from({ length: count }, (_, n) =>
      aCampaign({ id: asCampaignId(`cmp_${n}`), status: n === 0 ? 'active' : 'paused' }),
    );
    const { ask, losses, kept } = open(many);
    const requests = 100;
    for (let n = 0; n < requests; n += 1) await ask({ winner: asCampaignId('cmp_0') });
    const counted = losses();
    const sum = counted.reduce((total, one) => total + one.requests, 0);
    expect(sum / requests / (count - 1)).to.be.within(0.97, 1.03);
    expect(counted.length, 'every campaign is reached').to.equal(count - 1);
    for (const one of kept) expect(one.candidates[0]?.campaignId, 'the winner is named').to.equal('cmp_0');
  });

  describe('in a large catalog', () => {
    const count = WHOLE_CAMPAIGNS_MAX + PART_CAMPAIGNS;
    const isCapped = (id: string) => id.startsWith('cmp_capped');
    /** Campaigns with a full cap and a high bid, one winner, and campaigns with a low bid. */
    const large = Array.from({ length: count }, (_, n) => {
      if (n === 0) return aCampaign({ id: WINNER, costNanos: 5_000n });
      const isHigh = n <= 40;
      return aCampaign({
        id: asCampaignId(isHigh ? `cmp_capped_${n}` : `cmp_${n}`),
        costNanos: isHigh ? 9_000n + BigInt(n) : 1_000n,
        frequencyCap: isHigh ? { count: 1, period: 'session' } : null,
      });
    });
    const full = makeMemoryCaps(
      new Map(large.flatMap(({ id }) => (isCapped(id) ? [[campaignUnit(id), 1] as const] : []))),
    );

    it('always names the winner first, also when many higher bids lost', async () => {
      const { ask, kept } = open(large, { caps: full });
      for (let n = 0; n < 100; n += 1) await ask();
      for (const { candidates } of kept) {
        expect(candidates[0]).to.include({ campaignId: WINNER, lostAt: null });
        expect(candidates.filter(({ campaignId }) => campaignId === WINNER)).to.have.length(1);
      }
    });

    it('names the cap of every campaign whose cap is full', async () => {
      const { ask, kept } = open(large, { caps: full });
      for (let n = 0; n < 100; n += 1) await ask();
      const capped = kept.flatMap(({ candidates }) => candidates.filter((one) => isCapped(one.campaignId)));
      expect(capped.length).to.be.above(100);
      expect(new Set(capped.map(({ lostAt }) => lostAt))).to.deep.equal(new Set(['cap']));
    });

    it('counts only the random part, because its counts stand for all campaigns', async () => {
      const { ask, losses } = open(large, { caps: full });
      const requests = 200;
      for (let n = 0; n < requests; n += 1) await ask();
      const sum = losses().reduce((total, one) => total + one.requests, 0);
      expect(sum / requests / (count - 1)).to.be.within(0.97, 1.03);
    });
  });
});
