import { expect } from 'chai';
import { makeTestClock, makeTestRandom } from '@placard/service-kit/testing';
import {
  asAppId,
  asCampaignId,
  asRequestId,
  asSessionId,
  HOUR_MS,
  type Campaign,
} from '@placard/service-kit/pure';
import { makePurse, type Purse } from '../../test/support/exchanger.js';
import { LeaseBank } from '../../test/support/lease-bank.js';
import { makeMemoryCaps } from '../../test/support/memory-stores.js';
import {
  aCampaign,
  aCatalog,
  AD_TTL_MS,
  anAdRequest,
  anApp,
  aPlacement,
  aPublisher,
  deltaOf,
  NOON,
} from '../../test/support/world.js';
import { CampaignIndex } from '../domain/campaign-index.js';
import { campaignUnit, OPEN_UNIT, placementUnit } from '../domain/caps.js';
import { toQuery } from '../domain/select.js';
import type { CapStore } from '../store/cap-store.js';
import { fillLive, type FillOutcome } from './fill-live.js';
import { followCatalog } from './follow-catalog.js';

const COST = 2_500_000n;
const CAP = { count: 1, period: 'session' } as const;
const [DEAR, CHEAP] = [asCampaignId('cmp_dear'), asCampaignId('cmp_cheap')];
const BOTH = [aCampaign({ id: DEAR, costNanos: 2n * COST, frequencyCap: CAP }), aCampaign({ id: CHEAP })];

describe('a live fill', () => {
  const clock = makeTestClock(NOON);
  const slot = {
    ...{ publisher: aPublisher(), app: anApp(), isTest: false },
    placement: aPlacement({ frequencyCap: { count: 100, period: 'session' } }),
  };
  const PLACEMENT = placementUnit(slot.placement.code);
  const request = anAdRequest();
  const session = {
    ...{ sessionId: asSessionId('ses_1'), appId: asAppId('app_puzzle'), packageName: 'p', isTest: false },
    ...{ issuedAtMs: NOON, expiresAtMs: NOON + HOUR_MS },
  };
  let bank: LeaseBank;
  let index: CampaignIndex;
  let purse: Purse;
  let caps: CapStore;
  let degraded: number;
  let seal: () => string;

  function open(campaigns: readonly Campaign[]): void {
    bank = new LeaseBank(() => clock.now());
    index = CampaignIndex.of(aCatalog({ campaigns }));
    purse = makePurse({ bank, index, clock });
  }

  beforeEach(() => {
    caps = makeMemoryCaps(new Map());
    degraded = 0;
    seal = () => 'token';
    open(BOTH);
  });

  function fill(): Promise<FillOutcome> {
    const random = makeTestRandom(1);
    const isSpent = purse.outlook.isSpent.bind(purse.outlook);
    return fillLive(
      {
        ...{ ...purse, caps, random, openFillsMax: 30, impressionTokens: { seal: () => seal() } },
        onDegraded: () => (degraded += 1),
      },
      {
        ...{ requestId: asRequestId('req_1'), request, session, slot, deadlineAt: Infinity },
        time: { filledAtMs: NOON, expiresAtMs: NOON + AD_TTL_MS },
        walk: index.walk(toQuery(request, slot.app)),
        facts: { nowMs: NOON, request, counts: new Map(), isSpent, random },
      },
    );
  }

  const campaignOf = (outcome: FillOutcome): string =>
    outcome.kind === 'filled' ? outcome.fill.claims.campaignId : outcome.kind;

  /** What the fills have cost, as reported at the end. */
  async function spent(): Promise<bigint> {
    await purse.exchanger.close();
    return bank.used();
  }

  it('is the highest bid that has money, paid from the lease that its token names', async () => {
    const outcome = await fill();
    expect(campaignOf(outcome)).to.equal(DEAR);
    expect(outcome.kind === 'filled' && outcome.fill.claims.leaseRun).to.equal('run');
    expect(await spent()).to.equal(2n * COST);
  });

  it('goes to the next bid when the campaign’s cap is full by then, and the money is back', async () => {
    caps = makeMemoryCaps(new Map([[campaignUnit(DEAR), 1]]));
    expect(campaignOf(await fill())).to.equal(CHEAP);
    expect(await spent()).to.equal(COST);
  });

  it('leaves its money to the next request when its cap is full, also when no more is granted meanwhile', async () => {
    open([aCampaign({ id: DEAR, budgetTotalNanos: COST })]);
    const before = caps;
    caps = {
      ...before,
      async claim() {
        caps = before;
        expect(campaignOf(await fill()), 'another request').to.equal('none');
        return campaignUnit(DEAR);
      },
    };
    expect(campaignOf(await fill())).to.equal('none');
    expect(campaignOf(await fill())).to.equal(DEAR);
  });

  it('ends when the placement’s cap is full by then, and the money is back', async () => {
    caps = makeMemoryCaps(new Map([[PLACEMENT, 100]]));
    expect(campaignOf(await fill())).to.equal('placement_capped');
    expect(await spent()).to.equal(0n);
  });

  it('ends when the session has too many open fills, and the money is back', async () => {
    caps = makeMemoryCaps(new Map([[OPEN_UNIT, 30]]));
    expect(campaignOf(await fill())).to.equal('none');
    expect(await spent()).to.equal(0n);
  });

  it('ends when Redis fails at the claim, and the money is back', async () => {
    caps = { ...caps, claim: () => Promise.reject(new Error('down')) };
    expect(campaignOf(await fill())).to.equal('none');
    expect(degraded).to.equal(1);
    expect(await spent()).to.equal(0n);
  });

  it('gives money and slots back when the token cannot be sealed', async () => {
    seal = () => {
      throw new Error('no key');
    };
    const failure = await fill().catch((error: unknown) => String(error));
    expect(failure).to.equal('Error: no key');
    const counts = await caps.counts(session.sessionId, NOON);
    expect([counts.get(PLACEMENT), counts.get(OPEN_UNIT), counts.get(campaignUnit(DEAR))]).to.eql([0, 0, 0]);
    expect(await spent()).to.equal(0n);
  });

  for (const count of [8, 40, 300, 2_000]) {
    const budgets = (total: bigint): Campaign[] =>
      Array.from({ length: count }, (_, n) => {
        const id = asCampaignId(`cmp_${n}`);
        return aCampaign({ id, costNanos: 2n * COST, budgetTotalNanos: total });
      });
    const last = aCampaign({ id: CHEAP });

    it(`is found below ${count} campaigns without budget by the first request, after a start and after an edit`, async () => {
      open([...budgets(1n), last]);
      expect(campaignOf(await fill())).to.equal(CHEAP);
      expect(bank.requests.length).to.be.at.most(6);
      const edited = budgets(2n);
      const ids = edited.map(({ id }) => id);
      followCatalog({ index, clock, ...purse }, aCatalog({ campaigns: [...edited, last] }), deltaOf(ids));
      expect(purse.outlook.spentCount).to.equal(0);
      expect(campaignOf(await fill())).to.equal(CHEAP);
      expect(bank.requests.length).to.be.at.most(12);
      expect(campaignOf(await fill()), 'from the wallet').to.equal(CHEAP);
      expect(bank.requests.length).to.be.at.most(12);
    });
  }
});
