import { expect } from 'chai';
import type { RedisClient } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing';
import { asRequestId, DAY_MS, dayOf, MINUTE_MS, minuteOf } from '@placard/service-kit/pure';
import type { ReservedFill } from '../src/domain/budget.js';
import { toReserveItem } from '../src/domain/budget.js';
import { toIndexed, type IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { NOTHING_KNOWN } from '../src/domain/pacing/pace.js';
import { toShowRates, type ClosedFills } from '../src/domain/pacing/show-rates.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import type { PaceStore } from '../src/store/pace-store.js';
import { makeRedisPaces } from '../src/store/pace.redis.js';
import { makeLearnShowRates } from '../src/usecase/learn-show-rates.js';
import { PaceMemory } from '../src/usecase/pace-memory.js';
import { seedBudgets } from './support/seeded.js';
import { aCampaign, aCatalog, AD_TTL_MS, NOON } from './support/world.js';

const COST = 2_500_000n;
const SHARDS = 4;

describe('what is learned of fills', () => {
  let redis: RedisClient;
  let budgets: BudgetStore;
  let paces: PaceStore;
  let serial = 0;
  const campaign = aCampaign({ budgetDailyNanos: 1_000n * COST });
  const entry = toIndexed(aCatalog({ campaigns: [campaign] }), campaign.id) as IndexedCampaign;
  const counted = { campaignId: campaign.id, advertiserId: entry.advertiser.id };

  beforeEach(async () => {
    ({ redis } = await openTestRedis());
    budgets = makeRedisBudgets(redis, SHARDS, 'replica');
    paces = makeRedisPaces(redis, SHARDS);
    const day = { day: dayOf(NOON), usedNanos: 0n, acceptedNanos: 0n };
    await seedBudgets(budgets, {
      advertiserId: entry.advertiser.id,
      usedNanos: 0n,
      openMinutes: [],
      campaigns: [
        { campaignId: campaign.id, usedNanos: 0n, today: day, yesterday: { ...day, day: day.day - 1 } },
      ],
    });
  });
  afterEach(() => redis.disconnect());

  const closed = async (): Promise<ClosedFills> => (await paces.closedFills([counted]))[0] as ClosedFills;

  async function fill(atMs: number): Promise<ReservedFill> {
    const item = { ...toReserveItem(entry, atMs, NOTHING_KNOWN), pace: null };
    const [finding] = await budgets.reserve([item], { filledAtMs: atMs, expiresAtMs: atMs + AD_TTL_MS });
    expect(finding?.verdict).to.equal('reserved');
    serial += 1;
    return { ...counted, requestId: asRequestId(`req_${serial}`), costNanos: COST, filledAtMs: atMs };
  }

  function close(atMs: number, shown: bigint): Promise<bigint> {
    const minute = { ...counted, minute: minuteOf(atMs), expiresAtMs: atMs + AD_TTL_MS };
    return budgets.closeMinute(minute, shown * COST);
  }

  it('is nothing before a minute is closed', async () => {
    const one = await fill(NOON);
    await budgets.markShown(one, NOON + 1);
    expect(await closed()).to.eql({ shownNanos: 0, unshownNanos: 0, lateNanos: 0 });
  });

  it('is what was accepted, what was not, and what came late, by the truth and not by the hints', async () => {
    const fills = await Promise.all(Array.from({ length: 5 }, () => fill(NOON)));
    await budgets.markShown(fills[0]!, NOON + 59_999);
    await budgets.markShown(fills[1]!, NOON + 2 * MINUTE_MS - 1);
    await budgets.markShown(fills[2]!, NOON + 2 * MINUTE_MS);
    await budgets.markShown(fills[2]!, NOON + 2 * MINUTE_MS);
    await close(NOON, 4n);
    await close(NOON, 4n);
    const cost = Number(COST);
    expect(await closed()).to.eql({ shownNanos: 4 * cost, unshownNanos: cost, lateNanos: cost });
  });

  it('leaves out what a suspicious impression gave back', async () => {
    const fills = await Promise.all([fill(NOON), fill(NOON)]);
    await budgets.release(fills[0]);
    await close(NOON, 1n);
    expect(await closed()).to.eql({ shownNanos: Number(COST), unshownNanos: 0, lateNanos: 0 });
  });

  it('counts a day half as much as the next', async () => {
    for (let at = 0; at < 4; at += 1) await fill(NOON);
    await close(NOON, 2n);
    await fill(NOON + DAY_MS);
    await close(NOON + DAY_MS, 0n);
    const cost = Number(COST);
    expect(await closed()).to.eql({ shownNanos: cost, unshownNanos: 2 * cost, lateNanos: 0 });
    // A minute of the day before that is closed late does not turn the days back.
    await fill(NOON + MINUTE_MS);
    await close(NOON + MINUTE_MS, 1n);
    expect((await closed()).shownNanos).to.equal(2 * cost);
  });

  it('is read by every replica for the campaigns that it tries', async () => {
    for (let at = 0; at < 100; at += 1) await fill(NOON);
    await close(NOON, 20n);
    const memories = [new PaceMemory(), new PaceMemory()];
    for (const memory of memories) {
      memory.noteTried(entry);
      await makeLearnShowRates({ paces, memory })();
      const { show } = toShowRates(memory.of(entry).closed, entry.rank);
      expect(show).to.be.closeTo((14 + 20) / 120, 1e-9);
    }
  });

  it('is zero for a campaign that Redis does not know, and stays in force while Redis is away', async () => {
    const memory = new PaceMemory();
    memory.setClosed(campaign.id, { shownNanos: 1, unshownNanos: 2, lateNanos: 3 });
    memory.noteTried(entry);
    const isDown = { closedFills: () => Promise.reject(new Error('down')) };
    expect(await makeLearnShowRates({ paces: isDown, memory })().catch(() => 'failed')).to.equal('failed');
    expect(memory.of(entry).closed.shownNanos).to.equal(1);
    await redis.flushdb();
    expect(await closed()).to.eql({ shownNanos: 0, unshownNanos: 0, lateNanos: 0 });
  });
});
