import { expect } from 'chai';
import type { RedisClient } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing';
import { DAY_MS, dayOf, minuteOf, type Nanos } from '@placard/service-kit/pure';
import { toReserveItem, toSeed, type BudgetTruth } from '../src/domain/budget.js';
import { CampaignIndex } from '../src/domain/campaign-index.js';
import type { IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { NOTHING_KNOWN } from '../src/domain/pacing/pace.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { seedBudgets } from './support/seeded.js';
import { aCampaign, aCatalog, AD_TTL_MS, NOON } from './support/world.js';

const COST = 2_500_000n;
const DAILY = 4n;
const MIDNIGHT = (dayOf(NOON) + 1) * DAY_MS;
/** The moment of midnight by a clock that is a little behind. */
const BEHIND = MIDNIGHT - 200;

const campaign = aCampaign({ budgetDailyNanos: DAILY * COST });
const entry = CampaignIndex.of(aCatalog({ campaigns: [campaign] })).get(campaign.id) as IndexedCampaign;
const NORTH = entry.advertiser.id;

/** Of a campaign with so many open fills of the minute after midnight. */
function truthOf(fills: bigint): BudgetTruth {
  const open = { campaignId: campaign.id, minute: minuteOf(MIDNIGHT), acceptedNanos: 0n };
  const minute = { ...open, reservedNanos: fills * COST, expiresAtMs: MIDNIGHT + AD_TTL_MS };
  return {
    advertiserAcceptedNanos: 0n,
    openMinutes: fills === 0n ? [] : [minute],
    campaigns: [{ campaignId: campaign.id, acceptedNanos: 0n, acceptedByDay: new Map<number, Nanos>() }],
  };
}

describe('around midnight, where replicas’ clocks differ a little', () => {
  let redis: RedisClient;
  let budgets: BudgetStore;
  beforeEach(async () => {
    ({ redis } = await openTestRedis());
    budgets = makeRedisBudgets(redis, 1, 'replica');
  });
  afterEach(() => redis.disconnect());

  async function reservedAt(atMs: number): Promise<bigint> {
    const time = { filledAtMs: atMs, expiresAtMs: atMs + AD_TTL_MS };
    let reserved = 0n;
    for (let turn = 0; turn < 10; turn += 1) {
      const [finding] = await budgets.reserve([toReserveItem(entry, atMs, NOTHING_KNOWN)], time);
      if (finding?.verdict === 'reserved') reserved += 1n;
    }
    return reserved;
  }

  it('the day that has begun for others keeps its budget when one rebuilds for which it has not', async () => {
    await seedBudgets(budgets, toSeed(NORTH, truthOf(3n), BEHIND));
    expect(await reservedAt(MIDNIGHT)).to.equal(DAILY - 3n);
    expect(await reservedAt(BEHIND), 'of the day before').to.equal(DAILY);
  });

  it('a replica whose day is not over goes on where another has begun the next', async () => {
    await seedBudgets(budgets, toSeed(NORTH, truthOf(0n), MIDNIGHT - 2 * DAY_MS));
    expect(await reservedAt(MIDNIGHT)).to.equal(DAILY);
    expect(await reservedAt(BEHIND), 'a day that nobody has opened').to.equal(0n);
    await seedBudgets(budgets, toSeed(NORTH, truthOf(DAILY), BEHIND));
    expect(await reservedAt(BEHIND)).to.equal(DAILY);
  });
});
