import { expect } from 'chai';
import { appError, type RedisClient } from '@placard/service-kit';
import { makeTestClock, openTestRedis, type TestClock } from '@placard/service-kit/testing';
import { dayOf, MINUTE_MS, type Nanos } from '@placard/service-kit/pure';
import { toReserveItem, type CampaignMinute } from '../src/domain/budget.js';
import { CampaignIndex } from '../src/domain/campaign-index.js';
import type { IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { NOTHING_KNOWN } from '../src/domain/pacing/pace.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { BudgetOutlook } from '../src/usecase/budget-outlook.js';
import { makeCloseMinutes, type CloseMinutes } from '../src/usecase/close-minutes.js';
import { makeRefreshOutlook } from '../src/usecase/refresh-outlook.js';
import { seedBudgets } from './support/seeded.js';
import { aCampaign, aCatalog, AD_TTL_MS, NOON } from './support/world.js';

const COST = 2_500_000n;

describe('the end of reservations', () => {
  let redis: RedisClient;
  let budgets: BudgetStore;
  let clock: TestClock;
  let outlook: BudgetOutlook;
  let accepted: Nanos;
  let isDown: boolean;
  let asked: CampaignMinute[];

  const campaign = aCampaign({ budgetTotalNanos: 10n * COST });
  const index = CampaignIndex.of(aCatalog({ campaigns: [campaign] }));
  const entry = index.get(campaign.id) as IndexedCampaign;

  beforeEach(async () => {
    ({ redis } = await openTestRedis());
    budgets = makeRedisBudgets(redis, 4, 'replica');
    clock = makeTestClock(NOON);
    outlook = new BudgetOutlook();
    accepted = 0n;
    isDown = false;
    asked = [];
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

  function closer(): CloseMinutes {
    const spend = {
      acceptedSums(minutes: readonly CampaignMinute[]) {
        if (isDown) return Promise.reject(appError('unavailable', 'Down for the test.'));
        asked.push(...minutes);
        return Promise.resolve(minutes.map(() => accepted));
      },
    };
    return makeCloseMinutes({ budgets, spend, outlook, clock });
  }

  async function reserve(times: number): Promise<number> {
    const filledAtMs = clock.now();
    let count = 0;
    for (let turn = 0; turn < times; turn += 1) {
      const item = toReserveItem(entry, filledAtMs, NOTHING_KNOWN);
      const [finding] = await budgets.reserve([item], { filledAtMs, expiresAtMs: filledAtMs + AD_TTL_MS });
      if (finding === undefined) continue;
      outlook.note(entry, finding);
      if (finding.verdict === 'reserved') count += 1;
    }
    return count;
  }

  const used = (): Promise<Nanos | null> => budgets.advertiserUsed(entry.advertiser.id);

  it('comes not before 60 and by 150 seconds after an ad’s expiry, wherever in its minute it was filled', async () => {
    clock.set(NOON);
    await reserve(1);
    clock.set(NOON + MINUTE_MS - 1);
    await reserve(1);
    const lastExpiry = NOON + MINUTE_MS - 1 + AD_TTL_MS;
    clock.set(lastExpiry + 60_000);
    expect(await closer()()).to.equal(0);
    expect(await used()).to.equal(2n * COST);
    clock.set(NOON + AD_TTL_MS + 150_000);
    expect(await closer()()).to.equal(1);
    expect(await used()).to.equal(0n);
    expect(asked.map(({ expiresAtMs }) => expiresAtMs)).to.eql([lastExpiry]);
  });

  it('books what was accepted and gives the rest back, once, whatever the number of replicas', async () => {
    await reserve(10);
    accepted = 4n * COST;
    clock.advance(AD_TTL_MS + 61_000);
    await Promise.all([closer()(), closer()(), closer()()]);
    await closer()();
    expect(await used()).to.equal(4n * COST);
    expect(await reserve(10)).to.equal(6);
  });

  it('closes nothing while events-service cannot answer, and catches up', async () => {
    await reserve(10);
    clock.advance(AD_TTL_MS + 61_000);
    isDown = true;
    expect(await closer()().catch(() => 'failed')).to.equal('failed');
    expect(await used()).to.equal(10n * COST);
    clock.advance(3_600_000);
    isDown = false;
    expect(await closer()()).to.equal(1);
    expect(await used()).to.equal(0n);
  });

  it('closes any number of minutes in one round', async () => {
    for (let minute = 0; minute < 10; minute += 1) {
      clock.set(NOON + minute * MINUTE_MS);
      await reserve(1);
    }
    clock.set(NOON + 10 * MINUTE_MS + AD_TTL_MS + 61_000);
    expect(await closer()()).to.equal(10);
    expect(await used()).to.equal(0n);
    expect(await budgets.countOpenMinutes()).to.equal(0);
  });

  it('charges the day of the request: what was filled at 23:59 is given back to that day', async () => {
    clock.set(Date.UTC(2026, 4, 1, 23, 59));
    await reserve(2);
    clock.advance(AD_TTL_MS + 61_000);
    await closer()();
    const shard = budgets.shardOf(entry.advertiser.id);
    const usedOn = (at: number) => redis.hget(`{b${shard}}:day:${campaign.id}:${dayOf(at)}`, 'u');
    expect(await usedOn(NOON)).to.equal('0');
    expect(await usedOn(clock.now())).to.equal(null);
  });

  it('lets a spent campaign be tried again when another replica has given money back', async () => {
    const refresh = makeRefreshOutlook({ budgets, outlook, index, clock });
    await reserve(11);
    expect(outlook.isSpent(entry)).to.equal(true);
    await refresh();
    expect(outlook.isSpent(entry)).to.equal(true);
    clock.advance(AD_TTL_MS + 61_000);
    const other = new BudgetOutlook();
    await makeCloseMinutes({
      budgets,
      spend: { acceptedSums: (minutes) => Promise.resolve(minutes.map(() => 0n)) },
      outlook: other,
      clock,
    })();
    await refresh();
    expect(outlook.isSpent(entry)).to.equal(false);
  });
});
