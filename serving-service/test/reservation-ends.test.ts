import { expect } from 'chai';
import { appError, type RedisClient } from '@placard/service-kit';
import { makeTestClock, openTestRedis, type TestClock } from '@placard/service-kit/testing';
import {
  asAppId,
  asPlacementCode,
  asRequestId,
  asSessionId,
  dayOf,
  minuteOf,
  type CampaignId,
  type Nanos,
} from '@placard/service-kit/pure';
import { toReserveItem, type BudgetTruth, type CampaignMinute } from '../src/domain/budget.js';
import { CampaignIndex } from '../src/domain/campaign-index.js';
import type { IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { NOTHING_KNOWN } from '../src/domain/pacing/pace.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { makeRedisCaps } from '../src/store/caps.redis.js';
import { BudgetOutlook } from '../src/usecase/budget-outlook.js';
import { makeCloseMinutes } from '../src/usecase/close-minutes.js';
import { makeCommitReservations, type FillFateNote } from '../src/usecase/commit-reservations.js';
import { makeBudgetSeeder } from '../src/usecase/seed-budgets.js';
import { aCampaign, aCatalog, AD_TTL_MS, NOON } from './support/world.js';

const COST = 2_500_000n;
const BUDGET = 10n * COST;
const campaign = aCampaign({ budgetTotalNanos: BUDGET });
const catalog = aCatalog({ campaigns: [campaign] });
const entry = CampaignIndex.of(catalog).get(campaign.id) as IndexedCampaign;
const NORTH = entry.advertiser.id;

/** What events-service knows of a fill. */
interface Fill {
  readonly note: Omit<FillFateNote, 'fate'>;
  verdict: 'accepted' | 'suspicious' | 'expired' | null;
}

/** events-service as far as money goes: it accepts until the expiry, and knows of each fill that is reported. */
class Events {
  readonly fills: Fill[] = [];
  isDown = false;

  acceptedSums(minutes: readonly CampaignMinute[]): Promise<Nanos[]> {
    if (this.isDown) return Promise.reject(appError('unavailable', 'Down for the test.'));
    return Promise.resolve(minutes.map(({ minute }) => this.#sum('accepted', minute)));
  }

  budgetTruth(_: unknown, campaignIds: readonly CampaignId[]): Promise<BudgetTruth> {
    const minutes = new Set(this.fills.map(({ note }) => minuteOf(note.filledAtMs)));
    const acceptedNanos = this.#sum('accepted');
    return Promise.resolve({
      advertiserAcceptedNanos: acceptedNanos,
      openMinutes: [...minutes].map((minute) => ({
        campaignId: campaign.id,
        minute,
        reservedNanos: this.#sum('any', minute) - this.#sum('suspicious', minute),
        acceptedNanos: this.#sum('accepted', minute),
        expiresAtMs: NOON + AD_TTL_MS,
      })),
      campaigns: campaignIds.map((campaignId) => ({
        campaignId,
        acceptedNanos,
        acceptedByDay: new Map([[dayOf(NOON), acceptedNanos]]),
      })),
    });
  }

  #sum(verdict: Fill['verdict'] | 'any', minute?: number): Nanos {
    return this.fills
      .filter((fill) => verdict === 'any' || fill.verdict === verdict)
      .filter(({ note }) => minute === undefined || minuteOf(note.filledAtMs) === minute)
      .reduce((sum, { note }) => sum + note.costNanos, 0n);
  }
}

describe('a reservation ends exactly once', () => {
  let redis: RedisClient;
  let budgets: BudgetStore;
  let clock: TestClock;
  let events: Events;

  beforeEach(async () => {
    ({ redis } = await openTestRedis());
    budgets = makeRedisBudgets(redis, 1, 'replica');
    clock = makeTestClock(NOON);
    events = new Events();
    await rebuild();
  });
  afterEach(() => redis.disconnect());

  const used = (): Promise<Nanos | null> => budgets.advertiserUsed(NORTH);

  async function rebuild(): Promise<void> {
    const seeder = makeBudgetSeeder({
      ...{ budgets, spend: events, clock },
      wait: () => Promise.resolve(),
      flushReport: () => Promise.resolve(),
      tellReservations: () => Promise.resolve(),
      siblings: () => [campaign.id],
      onOutcome: () => undefined,
    });
    await seeder.seed(NORTH, []);
    // While other replicas are waited for, the answer comes before the end.
    for (let turn = 0; turn < 500 && !(await budgets.isKnown(NORTH)); turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function fill(times: number): Promise<Fill[]> {
    const filledAtMs = clock.now();
    const made: Fill[] = [];
    for (let turn = 0; turn < times; turn += 1) {
      const item = toReserveItem(entry, filledAtMs, NOTHING_KNOWN);
      const [finding] = await budgets.reserve([item], { filledAtMs, expiresAtMs: filledAtMs + AD_TTL_MS });
      if (finding?.verdict !== 'reserved') break;
      made.push({ verdict: null, note: noteOf(`req_${filledAtMs}_${turn}`, filledAtMs) });
    }
    events.fills.push(...made);
    return made;
  }

  function noteOf(name: string, filledAtMs: number): Fill['note'] {
    return {
      requestId: asRequestId(name),
      ...{ campaignId: campaign.id, advertiserId: NORTH, costNanos: COST, filledAtMs, isTest: false },
      ...{ sessionId: asSessionId('ses_1'), sessionExpiresAtMs: filledAtMs + 1 },
      ...{ appId: asAppId('app_puzzle'), placement: asPlacementCode('home_banner') },
    };
  }

  /** The phone shows the ad: events-service judges by the clock. */
  function show(fills: readonly Fill[], verdict: 'accepted' | 'suspicious' = 'accepted'): void {
    for (const one of fills) {
      one.verdict ??= clock.now() < one.note.filledAtMs + AD_TTL_MS ? verdict : 'expired';
    }
  }

  async function commit(fills: readonly Fill[], times = 1): Promise<void> {
    const outlook = new BudgetOutlook();
    const take = makeCommitReservations({ budgets, caps: makeRedisCaps(redis), outlook, catalog, clock });
    const notes = fills.flatMap(({ note, verdict }): FillFateNote[] => {
      if (verdict === 'accepted') return [{ ...note, fate: 'shown' }];
      return verdict === 'suspicious' ? [{ ...note, fate: 'suspicious' }] : [];
    });
    await Promise.all(Array.from({ length: times }, () => take(notes)));
  }

  const closer = (store: Pick<BudgetStore, 'minutesOver' | 'closeMinute'> = budgets) =>
    makeCloseMinutes({ budgets: store, spend: events, outlook: new BudgetOutlook(), clock });

  function passAll(): void {
    clock.set(NOON + AD_TTL_MS + 2 * 61_000);
  }

  it('when every CommitReservations is lost: shown is spent, suspicious and unshown come back', async () => {
    const fills = await fill(10);
    show(fills.slice(0, 4));
    show(fills.slice(4, 6), 'suspicious');
    passAll();
    await closer()();
    expect(await used()).to.equal(4n * COST);
  });

  it('when every CommitReservations comes three times', async () => {
    const fills = await fill(10);
    show(fills.slice(0, 4));
    show(fills.slice(4, 6), 'suspicious');
    await commit(fills, 3);
    expect(await used(), 'suspicious comes back at once').to.equal(8n * COST);
    await commit(fills);
    expect(await used()).to.equal(8n * COST);
    passAll();
    await closer()();
    await commit(fills);
    expect(await used()).to.equal(4n * COST);
  });

  it('when serving-service is away while events are accepted, and comes back hours later', async () => {
    const fills = await fill(10);
    show(fills.slice(0, 7));
    clock.advance(5 * 3_600_000);
    const next = makeRedisBudgets(redis, 1, 'next');
    await next.open(NORTH);
    await makeCloseMinutes({ budgets: next, spend: events, outlook: new BudgetOutlook(), clock })();
    await commit(fills);
    expect(await used()).to.equal(7n * COST);
    expect(await fill(10)).to.have.length(3);
  });

  it('when events-service is away: nothing is closed, nothing comes back, until it answers', async () => {
    show((await fill(10)).slice(0, 7));
    passAll();
    events.isDown = true;
    expect(await closer()().catch(() => 'refused')).to.equal('refused');
    expect(await used()).to.equal(BUDGET);
    expect(await budgets.countOpenMinutes()).to.equal(1);
    events.isDown = false;
    await closer()();
    expect(await used()).to.equal(7n * COST);
  });

  it('when eight replicas close the same minutes at once', async () => {
    show((await fill(6)).slice(0, 2));
    clock.advance(60_000);
    show((await fill(4)).slice(0, 1));
    passAll();
    clock.advance(60_000);
    const replicas = Array.from({ length: 8 }, (_, n) => makeRedisBudgets(redis, 1, `replica ${n}`));
    await Promise.all(replicas.map((replica) => closer(replica)()));
    expect(await used()).to.equal(3n * COST);
  });

  it('when a minute was closed and the answer was lost', async () => {
    show((await fill(10)).slice(0, 4));
    passAll();
    const deaf = {
      minutesOver: budgets.minutesOver.bind(budgets),
      async closeMinute(minute: CampaignMinute, acceptedNanos: Nanos): Promise<Nanos> {
        await budgets.closeMinute(minute, acceptedNanos);
        throw new Error('Command timed out');
      },
    };
    expect(await closer(deaf)().catch(() => 'lost')).to.equal('lost');
    expect(await used()).to.equal(4n * COST);
    expect(await closer()()).to.equal(0);
    expect(await used()).to.equal(4n * COST);
  });

  it('when an impression comes in the last millisecond: accepted and billed, or expired and given back', async () => {
    const [inTime, late] = (await fill(2)) as [Fill, Fill];
    clock.set(NOON + AD_TTL_MS - 1);
    show([inTime]);
    clock.advance(1);
    show([late]);
    expect([inTime.verdict, late.verdict]).to.eql(['accepted', 'expired']);
    clock.advance(60_999);
    expect(await closer()(), 'not before every such impression is stored').to.equal(0);
    expect(await used()).to.equal(2n * COST);
    clock.advance(1);
    expect(await closer()()).to.equal(1);
    expect(await used()).to.equal(COST);
  });

  it('when a suspicious verdict comes before and after the counters are rebuilt', async () => {
    const fills = await fill(10);
    show(fills.slice(0, 2), 'suspicious');
    await commit(fills.slice(0, 1));
    await redis.flushdb();
    await rebuild();
    expect(await used()).to.equal(8n * COST);
    await commit(fills, 2);
    expect(await used(), 'both were left out by the rebuild').to.equal(8n * COST);
    show(fills.slice(2, 3), 'suspicious');
    await commit(fills);
    expect(await used(), 'waits for the minute’s end').to.equal(8n * COST);
    show(fills.slice(3, 6));
    passAll();
    await closer()();
    expect(await used()).to.equal(3n * COST);
  });

  it('when the counters are rebuilt between the fills and the end of a minute, twice', async () => {
    const fills = await fill(4);
    await redis.flushdb();
    await rebuild();
    fills.push(...(await fill(20)));
    expect(fills).to.have.length(10);
    show(fills.slice(0, 3));
    await redis.flushdb();
    await rebuild();
    expect(await fill(1)).to.have.length(0);
    show(fills.slice(8));
    passAll();
    await Promise.all([closer()(), closer()()]);
    expect(await used()).to.equal(5n * COST);
    expect(await fill(10)).to.have.length(5);
  });
});
