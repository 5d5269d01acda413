import { expect } from 'chai';
import { once } from 'node:events';
import { connectRedis, type RedisClient } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing';
import {
  asCampaignId,
  asRequestId,
  dayOf,
  MINUTE_MS,
  SECOND_MS,
  type Campaign,
} from '@placard/service-kit/pure';
import { toReserveItem, type ReserveVerdict } from '../src/domain/budget.js';
import { toIndexed, type IndexedCampaign } from '../src/domain/indexed-campaign.js';
import type { BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { BudgetOutlook } from '../src/usecase/budget-outlook.js';
import { seedBudgets } from './support/seeded.js';
import { aCampaign, aCatalog, AD_TTL_MS } from './support/world.js';

const COST = 2_500_000n;
const MIDNIGHT = Date.UTC(2026, 4, 1);

function entryOf(changes: Partial<Campaign>): IndexedCampaign {
  const campaign = aCampaign(changes);
  return toIndexed(aCatalog({ campaigns: [campaign] }), campaign.id) as IndexedCampaign;
}

describe('the pace inside the atomic reserve', () => {
  let redis: RedisClient;
  let url: string;
  let budgets: BudgetStore;
  let outlook: BudgetOutlook;
  let serial = 0;

  beforeEach(async () => {
    ({ redis, url } = await openTestRedis());
    budgets = makeRedisBudgets(redis, 1, 'replica');
    outlook = new BudgetOutlook();
    const { campaign, advertiser } = entryOf({});
    const day = { day: dayOf(MIDNIGHT), usedNanos: 0n, acceptedNanos: 0n };
    await seedBudgets(budgets, {
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

  it('lets a hammered campaign fill at least once in a minute, and no more than plan, slack and brake allow', async () => {
    const entry = entryOf({ budgetDailyNanos: 10_000n * COST });
    await tryAt(entry, MIDNIGHT);
    const from = MIDNIGHT + 9 * 60 * MINUTE_MS;
    const fills = await fillsBetween(entry, from, from + MINUTE_MS, 100);
    const { limits } = toReserveItem(entry, from + MINUTE_MS, outlook.paceOf(entry)).pace!;
    expect(fills).to.be.at.least(1);
    expect(fills * Number(COST)).to.be.at.most(Math.min(limits.planNanos, limits.mostNanos!));
  });

  it('stops at once when the budget is cut below what is spent, and bills what is out', async () => {
    const entry = entryOf({ budgetDailyNanos: 2_400n * COST });
    const fills = BigInt(await fillsBetween(entry, MIDNIGHT, MIDNIGHT + 60 * MINUTE_MS, 10 * SECOND_MS));
    const cut = entryOf({ budgetDailyNanos: fills * COST - 1n });
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await tryAt(cut, MIDNIGHT + 60 * MINUTE_MS + turn)).to.equal('day');
    }
    expect(await budgets.advertiserUsed(entry.advertiser.id)).to.equal(fills * COST);
  });

  it('begins the plan anew when a campaign is resumed, instead of catching up', async () => {
    const entry = entryOf({ budgetDailyNanos: 14_400n * COST });
    await tryAt(entry, MIDNIGHT);
    const late = MIDNIGHT + 12 * 60 * MINUTE_MS;
    outlook.pace.follow({ ...entry, isServable: false }, MIDNIGHT + 1);
    outlook.pace.follow(entry, late);
    expect(await tryAt(entry, late)).to.equal('reserved');
    expect(outlook.paceOf(entry).anchor?.atMs).to.equal(late);
    // Another replica has seen the change a little later: the plan begins there, and holds for both from then on.
    const first = outlook;
    outlook = new BudgetOutlook();
    outlook.pace.follow({ ...entry, isServable: false }, MIDNIGHT + 1);
    outlook.pace.follow(entry, late + 700);
    const { anchor } = first.paceOf(entry);
    await tryAt(entry, late + 800);
    outlook = first;
    await tryAt(entry, late + 900);
    expect(outlook.paceOf(entry).anchor?.atMs).to.equal(late + 800);
    expect(Number(anchor?.spentNanos)).to.be.at.most(2 * Number(COST));
  });

  it('does not start the brake anew for a replica whose clock is a little behind', async () => {
    const entry = entryOf({ budgetDailyNanos: 14_400n * COST });
    await tryAt(entry, MIDNIGHT);
    const late = MIDNIGHT + 6 * 60 * MINUTE_MS;
    let fills = 0;
    for (let turn = 0; turn < 300; turn += 1) {
      if ((await tryAt(entry, turn % 2 === 0 ? late : late - 5)) === 'reserved') fills += 1;
    }
    // One minute's worth for the minute before, since its last five milliseconds come first once, and one for this.
    expect(fills).to.be.within(50, 56);
  });

  it('gives exactly N fills of an asap budget to eight connections at once, then the next campaign', async () => {
    const asap = entryOf({ budgetDailyNanos: 40n * COST, pacing: 'asap' });
    const id = asCampaignId('cmp_next');
    const campaign = aCampaign({ id });
    const next = toIndexed(aCatalog({ campaigns: [campaign] }), id) as IndexedCampaign;
    const day = { day: dayOf(MIDNIGHT), usedNanos: 0n, acceptedNanos: 0n };
    await seedBudgets(budgets, {
      advertiserId: next.advertiser.id,
      usedNanos: 0n,
      openMinutes: [],
      campaigns: [{ campaignId: id, usedNanos: 0n, today: day, yesterday: { ...day, day: day.day - 1 } }],
    });
    const connections = Array.from({ length: 8 }, () => connectRedis({ url, name: 'test' }));
    await Promise.all(connections.map((connection) => once(connection, 'ready')));
    const items = [asap, next].map((entry) => toReserveItem(entry, MIDNIGHT, outlook.paceOf(entry)));
    const time = { filledAtMs: MIDNIGHT, expiresAtMs: MIDNIGHT + AD_TTL_MS };
    const replicas = connections.map((connection, n) => makeRedisBudgets(connection, 1, `replica ${n}`));
    await Promise.all(replicas.map((replica) => replica.open(next.advertiser.id)));
    const findings = await Promise.all(
      Array.from({ length: 400 }, (_, at) => replicas[at % 8]!.reserve(items, time)),
    );
    for (const connection of connections) connection.disconnect();
    expect(findings.filter(([first]) => first?.verdict === 'reserved')).to.have.length(40);
    expect(findings.filter(([, second]) => second?.verdict === 'reserved')).to.have.length(360);
  });
});
