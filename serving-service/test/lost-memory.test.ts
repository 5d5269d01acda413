import { expect } from 'chai';
import { connectRedis, type RedisClient } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing';
import { asRequestId, dayOf, minuteOf, type Nanos } from '@placard/service-kit/pure';
import { toReserveItem, type BudgetSeed, type ReservedFill } from '../src/domain/budget.js';
import { CampaignIndex } from '../src/domain/campaign-index.js';
import type { IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { NOTHING_KNOWN } from '../src/domain/pacing/pace.js';
import { LATE_QUIET_MS, QUIET_MS, type BudgetStore } from '../src/store/budget-store.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { makeGuardMemory } from '../src/usecase/guard-memory.js';
import { copyOf, goBackTo } from './support/redis-copy.js';
import { seedBudgets } from './support/seeded.js';
import { aCampaign, aCatalog, AD_TTL_MS, NOON } from './support/world.js';

const COST = 2_500_000n;
const campaign = aCampaign({ budgetTotalNanos: 10n * COST });
const entry = CampaignIndex.of(aCatalog({ campaigns: [campaign] })).get(campaign.id) as IndexedCampaign;
const NORTH = entry.advertiser.id;
const TIME = { filledAtMs: NOON, expiresAtMs: NOON + AD_TTL_MS };
const LAST_SIGN = '{b0}:last-sign';
const GENERATION = '{b0}:generation';

function seedOf(usedNanos: Nanos, openNanos: Nanos = 0n): BudgetSeed {
  const day = { day: dayOf(NOON), usedNanos, acceptedNanos: usedNanos - openNanos };
  return {
    advertiserId: NORTH,
    usedNanos,
    openMinutes:
      openNanos === 0n
        ? []
        : [
            {
              campaignId: campaign.id,
              minute: minuteOf(NOON),
              reservedNanos: usedNanos,
              acceptedNanos: usedNanos - openNanos,
              expiresAtMs: TIME.expiresAtMs,
            },
          ],
    campaigns: [
      {
        campaignId: campaign.id,
        usedNanos,
        today: day,
        yesterday: { ...day, day: day.day - 1, usedNanos: 0n, acceptedNanos: 0n },
      },
    ],
  };
}

function fillOf(name: string): ReservedFill {
  return {
    requestId: asRequestId(`req_${name}`),
    campaignId: campaign.id,
    advertiserId: NORTH,
    costNanos: COST,
    filledAtMs: NOON,
  };
}

describe('the memory of Redis', () => {
  let redis: RedisClient;
  let second: RedisClient;
  let budgets: BudgetStore;
  let other: BudgetStore;

  const lost: number[] = [];
  let quietMs: number;
  beforeEach(async () => {
    let url: string;
    ({ redis, url } = await openTestRedis());
    second = connectRedis({ url, name: 'other replica', waitsForRedis: true });
    lost.length = 0;
    quietMs = QUIET_MS;
    budgets = makeRedisBudgets(redis, 1, 'replica', {
      onLost: (shard) => lost.push(shard),
      quietMs: () => quietMs,
    });
    other = makeRedisBudgets(second, 1, 'other');
    await seedBudgets(budgets, seedOf(0n));
    await other.open(NORTH);
  });
  afterEach(() => {
    redis.disconnect();
    second.disconnect();
  });

  async function tryOnce(store = budgets): Promise<string | undefined> {
    const [finding] = await store.reserve([toReserveItem(entry, NOON, NOTHING_KNOWN)], TIME);
    return finding?.verdict;
  }
  async function tryTimes(times: number, store = budgets): Promise<number> {
    let reserved = 0;
    for (let turn = 0; turn < times; turn += 1) if ((await tryOnce(store)) === 'reserved') reserved += 1;
    return reserved;
  }

  it('is not trusted by a replica that has not opened the shard', async () => {
    const fresh = makeRedisBudgets(redis, 1, 'fresh');
    expect(await tryOnce(fresh)).to.equal('unknown');
    await fresh.open(NORTH);
    expect(await tryOnce(fresh)).to.equal('reserved');
  });

  it('that goes back by a single reservation is noticed by the next one, before it reserves', async () => {
    await tryTimes(3);
    const copy = await copyOf(redis);
    await tryTimes(1);
    await goBackTo(redis, copy);
    expect(await tryOnce()).to.equal('unknown');
    expect(await redis.hget('{b0}:adv:adv_north', 'u')).to.equal((3n * COST).toString());
  });

  it('that is flushed is noticed as well, and by a replica that only looks', async () => {
    await redis.flushdb();
    const [finding] = await budgets.peek([toReserveItem(entry, NOON, NOTHING_KNOWN)], TIME);
    expect(finding?.verdict).to.equal('unknown');
    expect(await budgets.beat()).to.eql([0]);
    expect(await redis.dbsize(), 'a beat does not make a shard').to.equal(0);
  });

  it('that goes back is noticed by an idle replica’s next sign of life', async () => {
    const copy = await copyOf(redis);
    expect(await other.beat()).to.eql([]);
    await goBackTo(redis, copy);
    expect(await other.beat()).to.eql([0]);
  });

  it('is opened anew only when the fills of before are handed over, and its counters are unknown then', async () => {
    const steps: string[] = [];
    const guard = makeGuardMemory({
      budgets,
      flushReport: async () => {
        steps.push(`flush in ${await redis.get(GENERATION)}`);
      },
    });
    await tryTimes(2);
    const copy = await copyOf(redis);
    await tryTimes(2);
    await goBackTo(redis, copy);
    const before = await redis.get(GENERATION);
    await guard();
    expect(steps).to.eql([`flush in ${before}`]);
    expect(lost).to.eql([0]);
    expect(Number(await redis.get(GENERATION))).to.be.greaterThan(Number(before));
    expect(await budgets.isKnown(NORTH)).to.equal(false);
    expect(await budgets.advertiserUsed(NORTH)).to.equal(null);
    await guard();
    expect(steps).to.have.length(1);
  });

  it('is rebuilt from the truth: used stays used, and exactly the rest can be reserved', async () => {
    await tryTimes(4);
    const copy = await copyOf(redis);
    await tryTimes(3);
    await goBackTo(redis, copy);
    await seedBudgets(budgets, seedOf(7n * COST, 2n * COST));
    expect(await tryTimes(10)).to.equal(3);
    expect(await tryTimes(3, other)).to.equal(0);
    const [minute] = await budgets.minutesOver(TIME.expiresAtMs, 10);
    expect(await budgets.closeMinute(minute!, 6n * COST), 'reserved 10, accepted 6').to.equal(4n * COST);
    expect(await budgets.advertiserUsed(NORTH)).to.equal(6n * COST);
  });

  it('that another replica has opened anew a moment ago is not opened a second time, but waited for', async () => {
    await tryTimes(1);
    await other.beat();
    await redis.flushdb();
    const first = await budgets.open(NORTH);
    const next = await other.open(NORTH);
    expect(next.generation).to.equal(first.generation);
    expect([first.quietMs, next.quietMs]).to.eql([QUIET_MS, QUIET_MS]);
    expect([first.isAlone, next.isAlone]).to.eql([false, false]);
  });

  it('that was noticed lets every advertiser wait for the others’ last reports, not only the first', async () => {
    expect((await budgets.open(NORTH)).quietMs, 'nothing is lost').to.equal(0);
    await redis.flushdb();
    const noticed = await budgets.openShard(0);
    expect(noticed.quietMs).to.equal(QUIET_MS);
    const asked = await budgets.open(NORTH);
    expect(asked.generation).to.equal(noticed.generation);
    expect(asked.quietMs).to.be.within(1, QUIET_MS);
  });

  it('that was noticed lets also those wait who have lost nothing: a replica that joins, and one whose signs are all there', async () => {
    await other.beat();
    const copy = await copyOf(redis);
    await tryTimes(1);
    await goBackTo(redis, copy);
    const { generation } = await budgets.openShard(0);
    const joined = makeRedisBudgets(redis, 1, 'joined');
    for (const opened of [await other.open(NORTH), await joined.open(NORTH)]) {
      expect(opened.generation).to.equal(generation);
      expect(opened.quietMs).to.be.within(1, QUIET_MS);
    }
  });

  it('is waited for longer by all where the one that notices it knows of late reports', async () => {
    quietMs = LATE_QUIET_MS;
    await redis.flushdb();
    const { generation } = await budgets.openShard(0);
    await redis.pexpire('{b0}:loss', LATE_QUIET_MS - QUIET_MS - 100);
    const later = await other.open(NORTH);
    expect(later.generation, 'which is no reason to begin another').to.equal(generation);
    expect((await makeRedisBudgets(redis, 1, 'joined').open(NORTH)).quietMs).to.be.greaterThan(QUIET_MS);
  });

  it('is opened anew where a replica that joined has made counters before anyone noticed the loss', async () => {
    await redis.flushdb();
    const joined = makeRedisBudgets(redis, 1, 'joined');
    await seedBudgets(joined, seedOf(0n));
    const noticed = await budgets.open(NORTH);
    expect(noticed.quietMs).to.equal(QUIET_MS);
    expect(await joined.isKnown(NORTH)).to.equal(false);
  });

  it('is joined after a loss only by who has handed over its fills: a sign of life alone does not', async () => {
    await redis.flushdb();
    await budgets.openShard(0);
    expect(await other.beat()).to.eql([0]);
    expect(await other.beat()).to.eql([0]);
    await other.openShard(0);
    expect(await other.beat()).to.eql([]);
  });

  it('is opened anew by a replica that comes late, since it may have reported fills late', async () => {
    await redis.flushdb();
    const { generation } = await budgets.open(NORTH);
    await seedBudgets(budgets, seedOf(0n));
    const older = Number(generation) - 60_000;
    await redis.set(GENERATION, older);
    await redis.hset('{b0}:adv:adv_north', 'g', older);
    const late = await other.open(NORTH);
    expect(Number(late.generation)).to.be.greaterThan(older);
    expect(late.quietMs).to.equal(QUIET_MS);
    expect(await other.isKnown(NORTH)).to.equal(false);
  });

  it('is trusted by a new replica while another lives, and not when nobody has for some seconds', async () => {
    const generation = await redis.get(GENERATION);
    const joined = await makeRedisBudgets(redis, 1, 'joined').open(NORTH);
    expect(joined).to.eql({ generation, isAlone: false, quietMs: 0 });
    await redis.set(LAST_SIGN, Date.now() - 60_000);
    const alone = makeRedisBudgets(redis, 1, 'alone');
    const opened = await alone.open(NORTH);
    expect(opened.isAlone, 'nobody else can have fills to report').to.equal(true);
    expect(opened.generation).not.to.equal(generation);
    expect(await alone.isKnown(NORTH)).to.equal(false);
    expect((await alone.open(NORTH)).isAlone, 'also for the advertisers that follow').to.equal(true);
  });

  it('does not take a seed whose truth was asked for before it was lost', async () => {
    const { generation } = await budgets.open(NORTH);
    await redis.flushdb();
    expect(await budgets.seed(seedOf(0n), generation)).to.equal(null);
    await other.open(NORTH);
    expect(await budgets.seed(seedOf(0n), generation)).to.equal(null);
    expect(await other.isKnown(NORTH)).to.equal(false);
  });

  it('is given up once, however many replicas find its counters wrong at once', async () => {
    const before = (await budgets.generationOf(NORTH))!;
    await Promise.all([budgets, other, budgets].map((store) => store.renew(NORTH, before)));
    const after = await redis.get(GENERATION);
    expect(after).not.to.equal(before);
    await other.renew(NORTH, before);
    expect(await redis.get(GENERATION)).to.equal(after);
    expect(await tryOnce()).to.equal('unknown');
  });

  it('gives nothing of an older minute back to counters that were made without it', async () => {
    await tryTimes(5);
    await budgets.renew(NORTH, (await budgets.generationOf(NORTH))!);
    await seedBudgets(budgets, seedOf(2n * COST));
    const [minute] = await budgets.minutesOver(TIME.expiresAtMs, 1);
    expect(await budgets.closeMinute(minute!, 2n * COST)).to.equal(0n);
    expect(await budgets.advertiserUsed(NORTH)).to.equal(2n * COST);
    expect(await budgets.countOpenMinutes()).to.equal(0);
  });

  it('does not give a suspicious impression back twice when its verdict comes again after a rebuild', async () => {
    await tryTimes(3);
    expect(await budgets.release(fillOf('bad'))).to.equal(true);
    await redis.flushdb();
    // The truth leaves the suspicious impression out.
    await seedBudgets(budgets, seedOf(2n * COST, 2n * COST));
    expect(await budgets.release(fillOf('bad'))).to.equal(false);
    expect(await budgets.advertiserUsed(NORTH)).to.equal(2n * COST);
    expect(await budgets.release(fillOf('late')), 'kept until the minute is closed').to.equal(false);
    const [minute] = await budgets.minutesOver(TIME.expiresAtMs, 1);
    expect(await budgets.closeMinute(minute!, COST)).to.equal(COST);
    expect(await budgets.advertiserUsed(NORTH)).to.equal(COST);
  });

  it('is one per shard: what one has lost the others keep', async () => {
    const spread = makeRedisBudgets(redis, 64, 'spread');
    await seedBudgets(spread, seedOf(0n));
    const shard = spread.shardOf(NORTH);
    const elsewhere = (shard + 1) % 64;
    await spread.openShard(elsewhere);
    await redis.del(`{b${elsewhere}}:generation`, `{b${elsewhere}}:signs:spread`);
    expect(await spread.beat()).to.eql([elsewhere]);
    expect(await tryOnce(spread)).to.equal('reserved');
  });
});
