import { expect } from 'chai';
import type { RedisClient } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing';
import { asRequestId, dayOf, MINUTE_MS, SECOND_MS, type Campaign } from '@placard/service-kit/pure';
import { toReserveItem, type ReserveVerdict } from '../src/domain/budget.js';
import { toIndexed, type IndexedCampaign } from '../src/domain/indexed-campaign.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { BudgetOutlook } from '../src/usecase/budget-outlook.js';
import { aCampaign, aCatalog, AD_TTL_MS } from './support/world.js';

const COST = 2_500_000n;
const MIDNIGHT = Date.UTC(2026, 4, 1);

function entryOf(changes: Partial<Campaign>): IndexedCampaign {
  const campaign = aCampaign(changes);
  return toIndexed(aCatalog({ campaigns: [campaign] }), campaign.id) as IndexedCampaign;
}

describe('the pace inside the atomic reserve', () => {
  let redis: RedisClient;
  let budgets: BudgetStore;
  let outlook: BudgetOutlook;
  let serial = 0;

  beforeEach(async () => {
    ({ redis } = await openTestRedis());
    budgets = makeRedisBudgets(redis, 1);
    outlook = new BudgetOutlook();
    const { campaign, advertiser } = entryOf({});
    const day = { day: dayOf(MIDNIGHT), usedNanos: 0n, acceptedNanos: 0n };
    await budgets.seed({
      advertiserId: advertiser.id,
      usedNanos: 0n,
      openMinutes: [],
      campaigns: [
        { campaignId: campaign.id, usedNanos: 0n, today: day, yesterday: { ...day, day: day.day - 1 } },
      ],
    });
  });
  afterEach(() => redis.disconnect());

  /** Asks as a request does: again when the plan was made for another anchor. */
  async function tryAt(entry: IndexedCampaign, filledAtMs: number): Promise<ReserveVerdict> {
    for (let turn = 0; turn < 3; turn += 1) {
      const item = toReserveItem(entry, filledAtMs, outlook.paceOf(entry));
      const [finding] = await budgets.reserve([item], { filledAtMs, expiresAtMs: filledAtMs + AD_TTL_MS });
      if (finding === undefined) break;
      outlook.note(entry, finding);
      if (finding.verdict !== 'anchor') return finding.verdict;
    }
    throw new Error('the anchor does not settle');
  }

  async function fillsBetween(
    entry: IndexedCampaign,
    fromMs: number,
    toMs: number,
    stepMs: number,
  ): Promise<number> {
    let fills = 0;
    for (let at = fromMs; at < toMs; at += stepMs) {
      if ((await tryAt(entry, at)) !== 'reserved') continue;
      fills += 1;
      serial += 1;
      await budgets.markShown(
        {
          requestId: asRequestId(`req_${serial}`),
          campaignId: entry.campaign.id,
          advertiserId: entry.advertiser.id,
          costNanos: COST,
          filledAtMs: at,
        },
        at,
      );
    }
    return fills;
  }

  it('always lets the first request of a day fill', async () => {
    expect(await tryAt(entryOf({ budgetDailyNanos: 1_000n * COST }), MIDNIGHT)).to.equal('reserved');
  });

  it('keeps to the plan with its slack: about 5/4 of a day’s share in an hour', async () => {
    const entry = entryOf({ budgetDailyNanos: 1_200n * COST });
    const fills = await fillsBetween(entry, MIDNIGHT, MIDNIGHT + 60 * MINUTE_MS, 10 * SECOND_MS);
    expect(fills).to.be.within(60, 66);
  });

  it('delivers the whole budget by the end of the day, not one impression more', async function () {
    this.timeout(60_000);
    const entry = entryOf({ budgetDailyNanos: 200n * COST });
    const fills = await fillsBetween(entry, MIDNIGHT, MIDNIGHT + 24 * 60 * MINUTE_MS, 2 * MINUTE_MS);
    expect(fills).to.equal(200);
    expect(await tryAt(entry, MIDNIGHT + 24 * 60 * MINUTE_MS - 1)).to.equal('day');
  });

  it('spreads what is left from a changed budget on, and never serves beyond a lowered one', async () => {
    const noon = MIDNIGHT + 12 * 60 * MINUTE_MS;
    const large = entryOf({ budgetDailyNanos: 2_400n * COST });
    await fillsBetween(large, MIDNIGHT, MIDNIGHT + 120 * MINUTE_MS, 20 * SECOND_MS);
    const before = BigInt((await redis.hget(`{b0}:day:cmp_spring:${dayOf(MIDNIGHT)}`, 'u')) ?? '0');
    const lower = entryOf({ budgetDailyNanos: before + 120n * COST });
    const fills = await fillsBetween(lower, noon, noon + 60 * MINUTE_MS, 20 * SECOND_MS);
    expect(fills).to.be.within(10, 16);
    expect(await tryAt(entryOf({ budgetDailyNanos: before }), noon)).to.equal('day');
  });

  it('brakes catching up after a silence', async () => {
    const entry = entryOf({ budgetDailyNanos: 14_400n * COST });
    await tryAt(entry, MIDNIGHT);
    const late = MIDNIGHT + 6 * 60 * MINUTE_MS;
    let fills = 0;
    for (let turn = 0; turn < 200; turn += 1) if ((await tryAt(entry, late)) === 'reserved') fills += 1;
    // The plan's own speed is 12.5 a minute; three times that at a show rate of 0.7.
    expect(fills).to.be.within(50, 54);
  });

  it('lets two replicas share one plan', async () => {
    const entry = entryOf({ budgetDailyNanos: 1_200n * COST });
    await tryAt(entry, MIDNIGHT);
    const first = outlook;
    outlook = new BudgetOutlook();
    await tryAt(entry, MIDNIGHT + MINUTE_MS);
    expect(outlook.paceOf(entry).anchor).to.eql({
      atMs: MIDNIGHT,
      spentNanos: 0n,
      budgetNanos: 1_200n * COST,
    });
    outlook = first;
  });
});
