import { expect } from 'chai';
import type { RedisClient } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing';
import { dayOf, type CampaignId } from '@placard/service-kit/pure';
import type { ReserveItem } from '../src/domain/budget.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisPaces } from '../src/store/pace.redis.js';
import { figuresOf } from './support/day-figures.js';
import { doublePeak } from './support/day-shapes.js';
import { makePacedMemoryStore, type PacedStore } from './support/paced-memory-store.js';
import { seedBudgets } from './support/seeded.js';
import { MIDNIGHT, simulateDay, type DayOptions } from './support/simulated-day.js';

/** The stores on Redis, with the counters of a campaign made when it is first tried. */
function makePacedRedisStore(redis: RedisClient): PacedStore {
  const budgets = makeRedisBudgets(redis, 1, 'replica');
  const known = new Set<CampaignId>();
  return {
    ...budgets,
    ...makeRedisPaces(redis, 1),
    async reserve(items, time) {
      for (const item of items) {
        if (known.has(item.campaignId)) continue;
        known.add(item.campaignId);
        await seedEmpty(budgets, item);
      }
      return budgets.reserve(items, time);
    },
  };
}

async function seedEmpty(budgets: BudgetStore, { campaignId, advertiserId }: ReserveItem): Promise<void> {
  const day = { day: dayOf(MIDNIGHT), usedNanos: 0n, acceptedNanos: 0n };
  await seedBudgets(budgets, {
    advertiserId,
    usedNanos: 0n,
    openMinutes: [],
    campaigns: [{ campaignId, usedNanos: 0n, today: day, yesterday: { ...day, day: day.day - 1 } }],
  });
}

describe('a simulated day against the scripts in Redis', function () {
  this.timeout(60_000);
  let redis: RedisClient;
  beforeEach(async () => {
    ({ redis } = await openTestRedis());
  });
  afterEach(() => redis.disconnect());

  it('delivers along the plan over two replicas, as the rules in memory do to the impression', async () => {
    const options: DayOptions = {
      ...{ seed: 5, shape: doublePeak, requests: 4_000, campaigns: 4, replicas: 2 },
      events: [
        { minute: 720, every: 2, budgetTimes: 1.25 },
        { minute: 600, every: 4, isServed: false },
        { minute: 660, every: 4, isServed: true },
      ],
    };
    const day = await simulateDay(makePacedRedisStore(redis), options);
    const figures = figuresOf(day);
    expect(figures.over).to.equal(0);
    expect(figures.delivered).to.be.at.least(0.98);
    expect(figures.offPlan).to.be.at.most(0.025);
    expect(day.outOfOrder).to.equal(0);
    const inMemory = await simulateDay(makePacedMemoryStore(), options);
    expect(day.campaigns.map(({ filledAt }) => filledAt)).to.eql(
      inMemory.campaigns.map(({ filledAt }) => filledAt),
    );
  });
});
