import { expect } from 'chai';
import { makeTestClock, makeTestRandom } from '@placard/service-kit/testing';
import {
  asAppId,
  asCampaignId,
  asRequestId,
  asSessionId,
  HOUR_MS,
  minuteOf,
  type Campaign,
  type SessionClaims,
} from '@placard/service-kit/pure';
import { exchangeWith, makePurse, type Purse, type PurseOptions } from '../../../test/support/exchanger.js';
import { LeaseBank } from '../../../test/support/lease-bank.js';
import { makeMemoryCaps } from '../../../test/support/memory-stores.js';
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
} from '../../../test/support/world.js';
import { CampaignIndex } from '../../selection/domain/campaign-index.js';
import { campaignUnit, NO_COUNTS, OPEN_UNIT, placementUnit } from '../../caps/domain/caps.js';
import { toQuery } from '../../selection/domain/select.js';
import type { CapStore } from '../../caps/store/cap-store.js';
import { ANSWER_MS_MAX } from '../../budgets/usecase/exchange-leases.js';
import { fillLive } from './fill-live.js';
import type { FillResult } from './fill-task.js';
import { followCatalog } from '../../usecase/follow-catalog.js';

const COST = 2_500_000n;
const CAP = { count: 1, period: 'session' } as const;
const [DEAR, CHEAP] = [asCampaignId('cmp_dear'), asCampaignId('cmp_cheap')];
const BOTH = [aCampaign({ id: DEAR, costNanos: 2n * COST, frequencyCap: CAP }), aCampaign({ id: CHEAP })];

/** Runs everything that can continue. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a live fill', () => {
  const clock = makeTestClock(NOON);
  const CAPPED_SLOT = {
    publisher: aPublisher(),
    app: anApp(),
    isTest: false,
    placement: aPlacement({ frequencyCap: { count: 100, period: 'session' } }),
  };
  const PLACEMENT = placementUnit(CAPPED_SLOT.placement.code);
  const request = anAdRequest();
  const session = {
    sessionId: asSessionId('ses_1'),
    appId: asAppId('app_puzzle'),
    packageName: 'p',
    isTest: false,
    issuedAtMs: NOON,
    expiresAtMs: NOON + HOUR_MS,
  };
  let slot = CAPPED_SLOT;
  let bank: LeaseBank;
  let index: CampaignIndex;
  let purse: Purse;
  let caps: CapStore;
  let wary: WeakSet<SessionClaims>;
  let degraded: number;
  let seal: () => string;

  function open(campaigns: readonly Campaign[], options: PurseOptions = {}): void {
    bank = new LeaseBank(() => clock.now());
    index = CampaignIndex.of(aCatalog({ campaigns }));
    purse = makePurse({ bank, index, clock }, options);
  }

  beforeEach(() => {
    caps = makeMemoryCaps(new Map());
    slot = CAPPED_SLOT;
    wary = new WeakSet();
    degraded = 0;
    seal = () => 'token';
    open(BOTH);
  });

  function fill({ isPassed = Promise.resolve(true), openFillsMax = 30 } = {}): Promise<FillResult> {
    const random = makeTestRandom(1);
    const isSkipped = purse.headroom.isSkipped.bind(purse.headroom);
    return fillLive(
      {
        ...purse,
        caps,
        random,
        openFillsMax,
        wary,
        traceparent: () => null,
        impressionTokens: { seal: () => seal() },
        onDegraded: () => (degraded += 1),
      },
      {
        requestId: asRequestId('req_1'),
        request,
        session,
        slot,
        deadlineAt: Infinity,
        isPassed,
        time: { filledAtMs: NOON, expiresAtMs: NOON + AD_TTL_MS },
        walk: index.walk(toQuery(request, slot.app)),
        facts: { nowMs: NOON, request, counts: NO_COUNTS, isSkipped, random },
      },
    );
  }

  /** Puts money for a few ads into the wallet. */
  async function earn(): Promise<void> {
    expect(campaignOf(await fill())).to.equal(DEAR);
    caps = makeMemoryCaps(NO_COUNTS);
  }

  /** The claims of the session. */
  async function held(): Promise<number[]> {
    const counts = await caps.counts(session.sessionId, NOON);
    return [PLACEMENT, OPEN_UNIT, campaignUnit(DEAR)].map((unit) => counts.get(unit) ?? 0);
  }

  const campaignOf = (outcome: FillResult): string =>
    outcome.kind === 'filled' ? outcome.fill.claims.campaignId : outcome.kind;

  /** The cost of the fills, as reported at the end. */
  async function spent(): Promise<bigint> {
    await purse.exchanger.close();
    return bank.used();
  }

  it('is the highest bid with money, and the lease in its token pays for it', async () => {
    const outcome = await fill();
    expect(campaignOf(outcome)).to.equal(DEAR);
    expect(outcome.kind === 'filled' && outcome.fill.claims.leaseRun).to.equal('run');
    expect(await spent()).to.equal(2n * COST);
  });

  it('goes to the next bid when the campaign’s cap is full at the claim, and returns the money', async () => {
    caps = makeMemoryCaps(new Map([[campaignUnit(DEAR), 1]]));
    expect(campaignOf(await fill())).to.equal(CHEAP);
    expect(await spent()).to.equal(COST);
  });

  describe('while the exchange is slow', () => {
    let release: () => void;
    /** Every wait for money ends at once, except the one that lasts until the deadline. */
    const wait = (ms: number): Promise<void> =>
      ms === ANSWER_MS_MAX ? Promise.resolve() : new Promise(() => undefined);

    /** The first exchange is answered when a test releases it, the others at once. */
    function openSlow(campaigns: readonly Campaign[]): void {
      const held = new Promise<void>((resolve) => (release = resolve));
      open(campaigns, {
        wait,
        exchange: async (message) => {
          const answer = await exchangeWith(bank)(message);
          await held;
          return answer;
        },
      });
    }

    it('waits for the money of a bid when no other bid has money', async () => {
      openSlow([aCampaign({ id: DEAR })]);
      const filling = fill();
      await turn();
      release();
      expect(campaignOf(await filling)).to.equal(DEAR);
    });

    it('is another bid that has money, without that wait', async () => {
      openSlow(BOTH);
      const entry = index.get(CHEAP);
      if (entry === undefined) throw new Error('the index has no such campaign');
      const lease = purse.wallet.want({ entry, minute: minuteOf(NOON) }, 1, NOON);
      const granted = {
        verdict: 'granted',
        grantedNanos: COST,
        isScarce: false,
        anchor: null,
        closed: null,
      } as const;
      purse.wallet.noteAnswer({ lease: lease.lease, entry }, granted, NOON);
      expect(campaignOf(await fill())).to.equal(CHEAP);
    });
  });

  it('leaves its money to the next request when its cap is full, even if no more is granted', async () => {
    open([aCampaign({ id: DEAR, budgetTotalNanos: COST })]);
    const before = caps;
    caps = {
      ...before,
      async claim() {
        caps = before;
        expect(campaignOf(await fill()), 'another request').to.equal('none');
        return { unit: campaignUnit(DEAR), counts: NO_COUNTS };
      },
    };
    expect(campaignOf(await fill())).to.equal('none');
    expect(campaignOf(await fill())).to.equal(DEAR);
  });

  it('is not made when the placement’s cap is full at the claim, and the money is returned', async () => {
    caps = makeMemoryCaps(new Map([[PLACEMENT, 100]]));
    expect(campaignOf(await fill())).to.equal('placement_capped');
    expect(await spent()).to.equal(0n);
  });

  it('is not made when the session has too many open fills, and the money is returned', async () => {
    caps = makeMemoryCaps(new Map([[OPEN_UNIT, 30]]));
    expect(campaignOf(await fill())).to.equal('none');
    expect(await spent()).to.equal(0n);
  });

  it('is not made when Redis fails at the claim, and the money is returned', async () => {
    caps = { ...caps, claim: () => Promise.reject(new Error('down')) };
    expect(campaignOf(await fill())).to.equal('none');
    expect(degraded).to.equal(1);
    expect(await spent()).to.equal(0n);
  });

  it('claims its slots while the fraud verdict is pending, and is sealed when both are there', async () => {
    await earn();
    let pass: (isPassed: boolean) => void = () => undefined;
    let isAnswered = false;
    const filling = fill({ isPassed: new Promise((resolve) => (pass = resolve)) }).finally(
      () => (isAnswered = true),
    );
    await turn();
    expect(await held()).to.eql([1, 1, 1]);
    expect(isAnswered).to.equal(false);
    pass(true);
    expect(campaignOf(await filling)).to.equal(DEAR);
  });

  it('is not made when the fraud cap refuses the request, and money and slots are returned', async () => {
    await earn();
    expect(campaignOf(await fill({ isPassed: Promise.resolve(false) }))).to.equal('refused');
    expect(await held()).to.eql([0, 0, 0]);
    expect(await spent()).to.equal(2n * COST);
  });

  it('is not made when there is no fraud verdict, and money and slots are returned', async () => {
    await earn();
    const failure = await fill({ isPassed: Promise.reject(new Error('no verdict')) }).catch(String);
    expect(failure).to.equal('Error: no verdict');
    expect(await held()).to.eql([0, 0, 0]);
    expect(await spent()).to.equal(2n * COST);
  });

  it('is refused by the fraud cap before a full cap or an unavailable Redis', async () => {
    await earn();
    const isPassed = Promise.resolve(false);
    caps = makeMemoryCaps(new Map([[PLACEMENT, 100]]));
    expect(campaignOf(await fill({ isPassed }))).to.equal('refused');
    caps = { ...caps, claim: () => Promise.reject(new Error('down')) };
    wary = new WeakSet();
    expect(campaignOf(await fill({ isPassed }))).to.equal('refused');
    expect(await spent()).to.equal(2n * COST);
  });

  it('asks for no money when the request is refused or the placement’s cap is full', async () => {
    expect(campaignOf(await fill({ isPassed: Promise.resolve(false) }))).to.equal('refused');
    caps = makeMemoryCaps(new Map([[PLACEMENT, 100]]));
    expect(campaignOf(await fill())).to.equal('placement_capped');
    expect(bank.requests).to.eql([]);
  });

  it('takes no money for a session that was refused before, until the verdict and the counts are known', async () => {
    await earn();
    await fill({ isPassed: Promise.resolve(false) });
    const leftNanos = purse.wallet.leftNanos;
    const filling = fill({ isPassed: turn().then(() => false) });
    expect(purse.wallet.leftNanos).to.equal(leftNanos);
    expect(campaignOf(await filling)).to.equal('refused');
    expect(campaignOf(await fill())).to.equal(DEAR);
  });

  it('uses the cap counts in the refusal for its next choice, without another call', async () => {
    await earn();
    caps = makeMemoryCaps(new Map([[campaignUnit(DEAR), 1]]));
    caps = { ...caps, counts: () => Promise.reject(new Error('asked')) };
    expect(campaignOf(await fill())).to.equal(CHEAP);
    expect(degraded).to.equal(0);
  });

  it('sends nothing to Redis where no cap is in reach', async () => {
    slot = { ...slot, placement: aPlacement() };
    open([aCampaign({ id: CHEAP }), aCampaign({ id: DEAR, costNanos: 1n, frequencyCap: CAP })]);
    const asked = () => Promise.reject(new Error('asked'));
    caps = { counts: asked, claim: asked, settle: asked };
    expect(campaignOf(await fill({ openFillsMax: 0 })), 'with a want for money').to.equal(CHEAP);
    expect(campaignOf(await fill({ openFillsMax: 0 }))).to.equal(CHEAP);
    open([]);
    expect(campaignOf(await fill({ openFillsMax: 0 }))).to.equal('none');
    expect(degraded).to.equal(0);
  });

  it('is not made when its token cannot be sealed, and money and slots are returned', async () => {
    seal = () => {
      throw new Error('no key');
    };
    const failure = await fill().catch((error: unknown) => String(error));
    expect(failure).to.equal('Error: no key');
    expect(await held()).to.eql([0, 0, 0]);
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
      expect(purse.headroom.skippedCount).to.equal(0);
      expect(campaignOf(await fill())).to.equal(CHEAP);
      expect(bank.requests.length).to.be.at.most(12);
      expect(campaignOf(await fill()), 'from the wallet').to.equal(CHEAP);
      expect(bank.requests.length).to.be.at.most(12);
    });
  }
});
