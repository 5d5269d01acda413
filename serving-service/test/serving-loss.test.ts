import { expect } from 'chai';
import type { Nanos } from '@placard/service-kit/pure';
import { toReserveItem } from '../src/domain/budget.js';
import { toIndexed, type IndexedCampaign } from '../src/domain/indexed-campaign.js';
import { NOTHING_KNOWN } from '../src/domain/pacing/pace.js';
import { makeRedisBudgets } from '../src/store/budget.redis.js';
import { ROUND_MS } from '../src/usecase/watch-reservations.js';
import { count } from './support/outcomes.js';
import { copyOf, goBackTo } from './support/redis-copy.js';
import { openRunning, type Running, type RunningOptions } from './support/running.js';
import { until } from './support/until.js';
import { aCampaign, aCatalog, AD_TTL_MS } from './support/world.js';

const COST = 2_500_000n;
const LIMIT = 40;
/** With all waiting for late reports. */
const FIRST_FILL_MS_MAX = 20_000;
const campaign = aCampaign({ budgetTotalNanos: BigInt(LIMIT) * COST });
const entry = toIndexed(aCatalog({ campaigns: [campaign] }), campaign.id) as IndexedCampaign;

describe('serving-service and what Redis forgets', () => {
  let running: Running | null = null;

  async function open(options: RunningOptions = {}): Promise<Running> {
    running = await openRunning({ catalog: { campaigns: [campaign] }, replicas: 2, ...options });
    return running;
  }
  afterEach(async () => {
    await running?.close();
    running = null;
  });

  const reported = ({ spend }: Running): Nanos =>
    spend.fills.reduce((sum, row) => sum + row.reservedNanos, 0n);

  /** The clock goes on with what is asked, so that what rests between two attempts is tried again. */
  async function ask(opened: Running, times: number): Promise<number> {
    opened.clock.advance(50);
    return count(await Promise.all(Array.from({ length: times }, (_, n) => opened.ask({}, n % 2))), 'fill');
  }

  /** Asks on both replicas until nothing has been filled for a while after something was. */
  async function fillUp(opened: Running): Promise<number> {
    let fills = 0;
    await until(async () => {
      fills += await ask(opened, 4);
      return fills > 0;
    }, FIRST_FILL_MS_MAX);
    for (let quiet = 0; quiet < 3; quiet += 1) {
      const more = await ask(opened, 20);
      fills += more;
      if (more > 0) quiet = 0;
    }
    return fills;
  }

  /** A replica that dies with its fills counted in Redis and told to nobody. */
  async function fillAndDie({ redis, clock }: Running, times: number): Promise<void> {
    const dead = makeRedisBudgets(redis, 1, 'dead');
    await dead.open(entry.advertiser.id);
    const time = { filledAtMs: clock.now(), expiresAtMs: clock.now() + AD_TTL_MS };
    for (let turn = 0; turn < times; turn += 1) {
      const [finding] = await dead.reserve([toReserveItem(entry, time.filledAtMs, NOTHING_KNOWN)], time);
      expect(finding?.verdict).to.equal('reserved');
    }
  }

  it('tells what a dead replica filled in its last second, so that it is not sold again after a flush', async () => {
    const opened = await open();
    const fills = await ask(opened, 10);
    await fillAndDie(opened, 7);
    await until(() => reported(opened) === BigInt(fills) * COST);
    opened.clock.advance(ROUND_MS);
    await until(() => opened.spend.found.size > 0);
    await opened.redis.flushdb();
    expect(await fillUp(opened)).to.equal(LIMIT - fills - 7);
  }).timeout(30_000);

  it('tells it at once when it starts anew and finds counters that nobody else knows', async () => {
    const first = await open({ replicas: 1 });
    await first.ask();
    await fillAndDie(first, 5);
    await until(() => reported(first) === COST);
    await first.redis.set('{b0}:last-sign', Date.now() - 60_000);
    const { generation } = await makeRedisBudgets(first.redis, 1, 'next').open(entry.advertiser.id);
    expect(Number(generation)).to.be.greaterThan(0);
    await until(async () => count([await first.ask()], 'fill') === 1);
    const found = [...first.spend.found.values()].reduce((sum, row) => sum + row.reservedNanos, 0n);
    expect(found).to.equal(5n * COST);
    let fills = 2;
    while (count([await first.ask()], 'fill') === 1) fills += 1;
    expect(fills).to.equal(LIMIT - 5);
  }).timeout(30_000);

  it('goes on from the truth when Redis falls back to an older copy, and no limit is passed', async () => {
    const opened = await open();
    const before = await ask(opened, 6);
    const copy = await copyOf(opened.redis);
    const lost = await ask(opened, 12);
    expect(before + lost).to.equal(18);
    await goBackTo(opened.redis, copy);
    expect(await ask(opened, 10), 'the first that ask find it out').to.equal(0);
    expect(await fillUp(opened)).to.equal(LIMIT - 18);
    expect(await opened.scrape('placard_serving_memory_losses_total')).to.match(/_total [0-9]/);
  }).timeout(30_000);

  it('waits longer for what others have filled while events-service was away, and no limit is passed', async () => {
    const opened = await open();
    const before = await ask(opened, 6);
    await until(() => reported(opened) === BigInt(before) * COST);
    opened.spend.isDown = true;
    const failed = new Set<string>();
    opened.spend.isLate = (reporterId) => failed.add(reporterId).size > 0;
    const unreported = await ask(opened, 20);
    await until(() => failed.size === 2);
    await opened.redis.flushdb();
    // The other's call hangs and is given up only then.
    const hangsUntil = Date.now() + 3_000;
    let first: string | null = null;
    opened.spend.isLate = (reporterId) => reporterId !== (first ??= reporterId) && Date.now() < hangsUntil;
    opened.spend.isDown = false;
    expect(await fillUp(opened)).to.equal(LIMIT - before - unreported);
  }).timeout(30_000);

  it('fills exactly the limit over flushes and older copies under steady traffic of 20 clients', async () => {
    const opened = await open();
    let fills = 0;
    let isOver = false;
    const client = async (n: number): Promise<void> => {
      while (!isOver) {
        opened.clock.advance(5);
        const answer = await opened.ask({}, n % 2);
        fills += count([answer], 'fill');
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    };
    const clients = Array.from({ length: 20 }, (_, n) => client(n));
    await until(() => fills >= 10);
    const copy = await copyOf(opened.redis);
    await opened.redis.flushdb();
    const atFlush = fills;
    await until(() => fills > atFlush || fills === LIMIT);
    await goBackTo(opened.redis, copy);
    await until(() => fills >= LIMIT, 20_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    isOver = true;
    await Promise.all(clients);
    expect(fills).to.equal(LIMIT);
  }).timeout(60_000);

  it('raises counters that hold less than was reported', async () => {
    const opened = await open();
    const fills = await ask(opened, 10);
    await until(() => reported(opened) === BigInt(fills) * COST);
    const minutes = (await opened.redis.keys('{b0}:min:*'))[0]!;
    for (const key of ['{b0}:adv:adv_north', '{b0}:cmp:cmp_spring']) {
      await opened.redis.hincrby(key, 'u', -Number(4n * COST));
    }
    await opened.redis.hincrby(minutes, 'r', -Number(4n * COST));
    opened.clock.advance(ROUND_MS);
    const raised = async (n: number): Promise<string> =>
      opened.scrape('placard_serving_raised_reservations_total', n);
    await until(async () => (await opened.redis.hget(minutes, 'r')) === (BigInt(fills) * COST).toString());
    const sums = await Promise.all([0, 1].map(async (n) => Number((await raised(n)).split(' ').at(-1))));
    expect(sums[0]! + sums[1]!).to.be.closeTo(0.01, 1e-9);
    expect(await fillUp(opened)).to.equal(LIMIT - fills);
  }).timeout(30_000);

  it('shows what each campaign holds, and what should be closed', async () => {
    const opened = await open();
    await ask(opened, 4);
    opened.clock.advance(ROUND_MS);
    await until(async () => (await opened.scrape('placard_serving_held_money')).includes('cmp_spring'));
    expect(await opened.scrape('placard_serving_held_money')).to.match(/campaign="cmp_spring"\} 0.01\n/);
    expect(await opened.scrape('placard_serving_open_reservations')).to.match(
      /campaign="cmp_spring"\} 4\n.*campaign="other"\} 0/s,
    );
    expect(await opened.scrape('placard_serving_overdue_campaign_minutes')).to.match(/ 0$/m);
  }).timeout(30_000);
});
