import { expect } from 'chai';
import { connectRedis, type RedisClient } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing';
import {
  asAdvertiserId,
  asCampaignId,
  asRequestId,
  dayOf,
  minuteOf,
  type AdvertiserId,
  type Campaign,
  type Nanos,
} from '@placard/service-kit/pure';
import { toReserveItem, type BudgetSeed, type FillTime, type ReservedFill } from '../src/domain/budget.js';
import { toIndexed, type IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { NOTHING_KNOWN } from '../src/domain/pacing/pace.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { seedBudgets } from './support/seeded.js';
import { aCampaign, aCatalog, AD_TTL_MS, anAdvertiser, NOON } from './support/world.js';

const COST = 2_500_000n;
const NORTH = asAdvertiserId('adv_north');

function timeAt(filledAtMs: number): FillTime {
  return { filledAtMs, expiresAtMs: filledAtMs + AD_TTL_MS };
}

function entryOf(changes: Partial<Campaign> = {}, fundedNanos: Nanos = 10n ** 18n): IndexedCampaign {
  const campaign = aCampaign(changes);
  const catalog = aCatalog({
    advertisers: [anAdvertiser({ id: campaign.advertiserId, fundedNanos })],
    campaigns: [campaign],
  });
  const entry = toIndexed(catalog, campaign.id);
  if (entry === null) throw new Error('no entry');
  return entry;
}

function itemOf(entry: IndexedCampaign, atMs = NOON) {
  return toReserveItem(entry, atMs, NOTHING_KNOWN);
}

function seedOf(entries: readonly IndexedCampaign[], usedNanos: Nanos = 0n, atMs = NOON): BudgetSeed {
  const day = dayOf(atMs);
  return {
    advertiserId: entries[0]?.advertiser.id ?? NORTH,
    usedNanos,
    openMinutes: [],
    campaigns: entries.map(({ campaign }) => ({
      campaignId: campaign.id,
      usedNanos,
      today: { day, usedNanos, acceptedNanos: usedNanos },
      yesterday: { day: day - 1, usedNanos: 0n, acceptedNanos: 0n },
    })),
  };
}

function fillOf(name: string, entry: IndexedCampaign, atMs = NOON): ReservedFill {
  return {
    requestId: asRequestId(`req_${name}`),
    campaignId: entry.campaign.id,
    advertiserId: entry.advertiser.id,
    costNanos: entry.campaign.costNanos,
    filledAtMs: atMs,
  };
}

describe('budgets in Redis', () => {
  let redis: RedisClient;
  let url: string;
  let budgets: BudgetStore;

  beforeEach(async () => {
    ({ redis, url } = await openTestRedis());
    budgets = makeRedisBudgets(redis, 1, 'replica');
  });
  afterEach(() => redis.disconnect());

  async function tryOnce(entry: IndexedCampaign, atMs = NOON): Promise<string> {
    const [finding] = await budgets.reserve([itemOf(entry, atMs)], timeAt(atMs));
    return finding?.verdict ?? 'nothing';
  }

  async function tryTimes(entry: IndexedCampaign, times: number, atMs = NOON): Promise<number> {
    const verdicts = await Promise.all(Array.from({ length: times }, () => tryOnce(entry, atMs)));
    return verdicts.filter((verdict) => verdict === 'reserved').length;
  }

  async function used(advertiserId: AdvertiserId = NORTH): Promise<Nanos | null> {
    return budgets.advertiserUsed(advertiserId);
  }

  it('never takes a missing counter for zero', async () => {
    expect(await tryOnce(entryOf())).to.equal('unknown');
    expect(await used()).to.equal(null);
    expect(await redis.dbsize()).to.equal(0);
  });

  it('reserves in total, day and balance together', async () => {
    const entry = entryOf();
    await seedBudgets(budgets, seedOf([entry]));
    expect(await tryOnce(entry)).to.equal('reserved');
    expect(await used()).to.equal(COST);
    expect(await redis.hget('{b0}:cmp:cmp_spring', 'u')).to.equal('2500000');
    expect(await redis.hget(`{b0}:day:cmp_spring:${dayOf(NOON)}`, 'u')).to.equal('2500000');
  });

  const limits: readonly (readonly [string, Partial<Campaign>, Nanos])[] = [
    ['total', { budgetTotalNanos: 7n * COST }, 10n ** 18n],
    ['day', { budgetDailyNanos: 7n * COST }, 10n ** 18n],
    ['balance', {}, 7n * COST],
  ];
  for (const [verdict, changes, funded] of limits) {
    it(`reserves exactly what the limit of ${verdict} allows, and says so then`, async () => {
      const entry = entryOf(changes, funded);
      await seedBudgets(budgets, seedOf([entry]));
      expect(await tryTimes(entry, 64)).to.equal(7);
      expect(await tryOnce(entry)).to.equal(verdict);
      expect(await used()).to.equal(7n * COST);
    });
  }

  it('allows not one nano-unit beyond a limit above 2^53', async () => {
    const start = 9_007_199_254_740_993n;
    const entry = entryOf({ budgetTotalNanos: start + COST });
    await seedBudgets(budgets, seedOf([entry], start));
    expect(await tryOnce(entry)).to.equal('reserved');
    expect(await used()).to.equal(start + COST);
    const short = entryOf({ budgetTotalNanos: start + 2n * COST - 1n });
    expect(await tryOnce(short)).to.equal('total');
    expect(await tryOnce(entryOf({ budgetTotalNanos: start + 2n * COST }))).to.equal('reserved');
  });

  it('reserves nothing where the limit is below the cost of one impression', async () => {
    const entry = entryOf({ budgetTotalNanos: COST - 1n });
    await seedBudgets(budgets, seedOf([entry]));
    expect(await tryOnce(entry)).to.equal('total');
  });

  it('acts on a limit that is raised or lowered with the next call', async () => {
    const two = entryOf({ budgetTotalNanos: 2n * COST });
    await seedBudgets(budgets, seedOf([two]));
    expect(await tryTimes(two, 5)).to.equal(2);
    expect(await tryTimes(entryOf({ budgetTotalNanos: 3n * COST }), 5)).to.equal(1);
    expect(await tryOnce(entryOf({ budgetTotalNanos: COST }))).to.equal('total');
  });

  it('lets sibling campaigns share their advertiser’s balance exactly, over two replicas and 64 callers', async () => {
    const second = connectRedis({ url, name: 'second replica', waitsForRedis: true });
    const other = makeRedisBudgets(second, 1, 'other');
    const siblings = [1, 2, 3, 4].map((n) => entryOf({ id: asCampaignId(`cmp_${n}`) }, 100n * COST));
    await seedBudgets(budgets, seedOf(siblings));
    await other.open(NORTH);
    let fills = 0;
    const caller = async (n: number): Promise<void> => {
      for (let turn = 0; turn < 16; turn += 1) {
        const store = (n + turn) % 2 === 0 ? budgets : other;
        const items = siblings.map((entry) => itemOf(entry));
        const findings = await store.reserve([...items.slice(n % 4), ...items.slice(0, n % 4)], timeAt(NOON));
        if (findings.some(({ verdict }) => verdict === 'reserved')) fills += 1;
        expect(((await used()) ?? 0n) <= 100n * COST).to.equal(true);
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, n) => caller(n)));
    second.disconnect();
    expect(fills).to.equal(100);
    expect(await used()).to.equal(100n * COST);
  });

  it('tries candidates in the given order and stops at the first that fits', async () => {
    const spent = entryOf({ id: asCampaignId('cmp_a'), budgetTotalNanos: COST - 1n });
    const next = entryOf({ id: asCampaignId('cmp_b') });
    const last = entryOf({ id: asCampaignId('cmp_c') });
    await seedBudgets(budgets, seedOf([spent, next, last]));
    const findings = await budgets.reserve(
      [spent, next, last].map((entry) => itemOf(entry)),
      timeAt(NOON),
    );
    expect(findings.map(({ verdict }) => verdict)).to.eql(['total', 'reserved', 'untried']);
  });

  it('stops at a candidate that is unknown and tells all others that are', async () => {
    const known = entryOf({ id: asCampaignId('cmp_a') });
    const fresh = entryOf({ id: asCampaignId('cmp_b') });
    const spare = entryOf({ id: asCampaignId('cmp_c') });
    await seedBudgets(budgets, seedOf([known]));
    const items = [fresh, known, spare].map((entry) => itemOf(entry));
    const findings = await budgets.reserve(items, timeAt(NOON));
    expect(findings.map(({ verdict }) => verdict)).to.eql(['unknown', 'untried', 'unknown']);
    expect(await used()).to.equal(0n);
  });

  it('opens a new UTC day at zero without asking, and keeps the days apart', async () => {
    const entry = entryOf({ budgetDailyNanos: 2n * COST });
    await seedBudgets(budgets, seedOf([entry]));
    const beforeMidnight = Date.UTC(2026, 4, 1, 23, 59, 59, 999);
    expect(await tryTimes(entry, 5, beforeMidnight)).to.equal(2);
    expect(await tryTimes(entry, 5, beforeMidnight + 1)).to.equal(2);
    expect(await tryOnce(entry, beforeMidnight)).to.equal('day');
  });

  it('looks without reserving', async () => {
    const entry = entryOf({ budgetTotalNanos: COST });
    const spent = entryOf({ id: asCampaignId('cmp_b'), budgetTotalNanos: 1n });
    await seedBudgets(budgets, seedOf([entry, spent]));
    const findings = await budgets.peek([itemOf(spent), itemOf(entry), itemOf(entry)], timeAt(NOON));
    expect(findings.map(({ verdict }) => verdict)).to.eql(['total', 'reserved', 'reserved']);
    expect(await used()).to.equal(0n);
  });

  describe('giving back', () => {
    it('gives a fill back once per request id, however often it is asked', async () => {
      const entry = entryOf({ budgetTotalNanos: 2n * COST });
      await seedBudgets(budgets, seedOf([entry]));
      await tryTimes(entry, 2);
      const results = await Promise.all(
        Array.from({ length: 5 }, () => budgets.release(fillOf('one', entry))),
      );
      expect(results.filter(Boolean)).to.have.length(1);
      expect(await used()).to.equal(COST);
      expect(await tryTimes(entry, 5)).to.equal(1);
    });

    it('closes a minute: what was not accepted is given back, exactly once over two replicas', async () => {
      const entry = entryOf({ budgetTotalNanos: 10n * COST, budgetDailyNanos: 10n * COST });
      await seedBudgets(budgets, seedOf([entry]));
      await tryTimes(entry, 10);
      const over = NOON + AD_TTL_MS;
      expect(await budgets.minutesOver(over - 1, 10)).to.eql([]);
      const minutes = await budgets.minutesOver(over, 10);
      expect(minutes).to.eql([
        {
          advertiserId: NORTH,
          campaignId: entry.campaign.id,
          minute: minuteOf(NOON),
          expiresAtMs: over,
        },
      ]);
      const back = await Promise.all(
        minutes.flatMap((m) => [m, m, m]).map((m) => budgets.closeMinute(m, 4n * COST)),
      );
      expect(back.sort()).to.eql([0n, 0n, 6n * COST]);
      expect(await used()).to.equal(4n * COST);
      expect(await budgets.countOpenMinutes()).to.equal(0);
      expect(await tryTimes(entry, 10, NOON + 2 * 60_000)).to.equal(6);
    });

    it('gives nothing back twice when a suspicious fill of a closed minute is told late', async () => {
      const entry = entryOf();
      await seedBudgets(budgets, seedOf([entry]));
      await tryTimes(entry, 3);
      const [minute] = await budgets.minutesOver(NOON + AD_TTL_MS, 1);
      await budgets.closeMinute(minute!, COST);
      expect(await budgets.release(fillOf('late', entry))).to.equal(false);
      expect(await used()).to.equal(COST);
    });

    it('takes a suspicious fill out of its minute, so that closing gives the rest back only', async () => {
      const entry = entryOf();
      await seedBudgets(budgets, seedOf([entry]));
      await tryTimes(entry, 3);
      await budgets.release(fillOf('bad', entry));
      const [minute] = await budgets.minutesOver(NOON + AD_TTL_MS, 1);
      expect(await budgets.closeMinute(minute!, COST)).to.equal(COST);
      expect(await used()).to.equal(COST);
    });

    it('does not make a missing counter known by giving back', async () => {
      const entry = entryOf();
      expect(await budgets.release(fillOf('gone', entry))).to.equal(false);
      expect(await tryOnce(entry)).to.equal('unknown');
    });
  });

  describe('after the loss of all memory', () => {
    const day = dayOf(NOON);
    const minute = minuteOf(NOON) - 5;
    const expiresAtMs = NOON - 5 * 60_000 + AD_TTL_MS;
    const entry = entryOf({ budgetTotalNanos: 10n * COST });
    const lost: BudgetSeed = {
      advertiserId: NORTH,
      usedNanos: 7n * COST,
      openMinutes: [
        { campaignId: entry.campaign.id, minute, reservedNanos: 4n * COST, acceptedNanos: COST, expiresAtMs },
      ],
      campaigns: [
        {
          campaignId: entry.campaign.id,
          usedNanos: 7n * COST,
          today: { day, usedNanos: 7n * COST, acceptedNanos: 4n * COST },
          yesterday: { day: day - 1, usedNanos: 0n, acceptedNanos: 0n },
        },
      ],
    };

    it('goes on from the truth, open fills included, and gives them back when they are over', async () => {
      await seedBudgets(budgets, lost);
      expect(await tryTimes(entry, 10)).to.equal(3);
      const [open] = await budgets.minutesOver(expiresAtMs, 1);
      expect(open?.minute).to.equal(minute);
      expect(await budgets.closeMinute(open!, COST)).to.equal(3n * COST);
      expect(await used()).to.equal(7n * COST);
      expect(await tryTimes(entry, 10)).to.equal(3);
    });

    it('lets a second replica’s seed change nothing', async () => {
      await seedBudgets(budgets, lost);
      await tryTimes(entry, 1);
      expect(await seedBudgets(budgets, { ...lost, usedNanos: 0n })).to.equal(0);
      expect(await used()).to.equal(8n * COST);
    });

    it('adds a new campaign beside a known advertiser without touching its minutes', async () => {
      await seedBudgets(budgets, lost);
      const added = entryOf({ id: asCampaignId('cmp_new') });
      await seedBudgets(budgets, { ...seedOf([added]), openMinutes: lost.openMinutes });
      expect(await used()).to.equal(7n * COST);
      expect(await tryOnce(added)).to.equal('reserved');
    });

    it('survives the loss of the script cache', async () => {
      await seedBudgets(budgets, lost);
      await redis.script('FLUSH');
      expect(await tryTimes(entry, 10)).to.equal(3);
    });
  });

  describe('raising', () => {
    const entry = entryOf({ budgetTotalNanos: 10n * COST });

    it('lets a minute and all its counters hold what is known to be reserved, once', async () => {
      await seedBudgets(budgets, seedOf([entry]));
      await tryTimes(entry, 2);
      const [minute] = await budgets.minutesOver(NOON + AD_TTL_MS, 1);
      const raised = await Promise.all([5n, 5n, 3n].map((n) => budgets.raise(minute!, n * COST)));
      expect(raised.reduce((sum, nanos) => sum + nanos)).to.equal(3n * COST);
      expect(await used()).to.equal(5n * COST);
      expect(await tryTimes(entry, 20)).to.equal(5);
      expect(await budgets.closeMinute(minute!, 4n * COST)).to.equal(6n * COST);
      expect(await used()).to.equal(4n * COST);
    });

    it('changes nothing once the minute is closed', async () => {
      await seedBudgets(budgets, seedOf([entry]));
      await tryTimes(entry, 2);
      const [minute] = await budgets.minutesOver(NOON + AD_TTL_MS, 1);
      await budgets.closeMinute(minute!, COST);
      expect(await budgets.raise(minute!, 5n * COST)).to.equal(0n);
      expect(await used()).to.equal(COST);
    });
  });

  it('spreads advertisers over shards and keeps an advertiser and its campaigns in one slot', async () => {
    const spread = makeRedisBudgets(redis, 64, 'replica');
    const shards = new Set(Array.from({ length: 200 }, (_, n) => spread.shardOf(asAdvertiserId(`adv_${n}`))));
    expect(shards.size).to.be.greaterThan(50);
    const entry = entryOf();
    await seedBudgets(spread, seedOf([entry]));
    await spread.reserve([itemOf(entry)], timeAt(NOON));
    const tags = new Set((await redis.keys('*')).map((key) => /^\{(b\d+)\}:/.exec(key)?.[1]));
    expect([...tags]).to.eql([`b${spread.shardOf(NORTH)}`]);
  });

  describe('after another number of shards', () => {
    const moved = entryOf();
    const overAtMs = NOON + 2 * AD_TTL_MS;

    /** An advertiser's fill under one shard, then under eight, where it is elsewhere. */
    async function moveTo(shards: number): Promise<BudgetStore> {
      await seedBudgets(budgets, seedOf([moved]));
      expect(await tryOnce(moved)).to.equal('reserved');
      const after = makeRedisBudgets(redis, shards, 'replica 2');
      expect(after.shardOf(NORTH)).to.not.equal(0);
      await seedBudgets(after, seedOf([moved]));
      await after.reserve([itemOf(moved)], timeAt(NOON));
      return after;
    }

    it('each open minute is told once', async () => {
      const after = await moveTo(8);
      expect(await after.openMinutes(10)).to.have.length(1);
      expect(await after.countOpenMinutes()).to.equal(1);
    });

    it('what is over is closed once, and is not found again', async () => {
      const after = await moveTo(8);
      const [minute, ...others] = await after.minutesOver(overAtMs, 10);
      expect(others).to.deep.equal([]);
      expect(await after.closeMinute(minute!, 0n)).to.equal(COST);
      expect(await after.minutesOver(overAtMs, 10)).to.deep.equal([]);
      expect(await redis.keys('*:due')).to.deep.equal([]);
    });
  });
});
