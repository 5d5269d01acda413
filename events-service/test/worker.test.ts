import { EventVerdict } from '@placard/protos/events/v1/events.js';
import { openQueue } from '@placard/service-kit/queue';
import { makeTestScope, until } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { SETTLEMENT_QUEUE } from '../src/settlement-queue.js';
import { openBed, type Bed } from './support/bed.js';
import { DEAD, openRunning, type Running } from './support/running.js';

describe('the settlement worker', () => {
  let bed: Bed;
  let running: Running;
  before(async () => {
    bed = await openBed();
  });
  after(() => bed.drop());
  beforeEach(async () => {
    running = await openRunning(bed);
  });
  afterEach(() => running.close());

  it('settles by its own timer without Redis, while events are accepted', async () => {
    const { events } = await running.open(`redis://${DEAD}`);
    await running.openWorker(`redis://${DEAD}`);
    const claims = bed.fill();
    expect((await events.recordImpression(await running.requestOf(claims))).verdict).to.equal(
      EventVerdict.ACCEPTED,
    );
    await until(() => running.isSettled(claims));
  });

  it('goes on after the queue lost its data and its jobs', async () => {
    const { events } = await running.open();
    await running.openWorker();
    for (let round = 0; round < 3; round += 1) {
      await running.redis.flushdb();
      const claims = bed.fill();
      await events.recordImpression(await running.requestOf(claims));
      await running.redis.flushdb();
      await until(() => running.isSettled(claims));
    }
  });

  it('settles impressions whose job has an id that was used before', async () => {
    const { events } = await running.open();
    await running.openWorker();
    const first = bed.fill();
    await events.recordImpression(await running.requestOf(first));
    await until(() => running.isSettled(first));
    // Like after a failover to a late replica: the counter of ids is behind the kept jobs.
    await running.redis.set('{bull-0}:settlement:id', '0');
    const second = bed.fill();
    await events.recordImpression(await running.requestOf(second));
    await until(() => running.isSettled(second));
  });

  it('settles by its own timer when it receives no job', async () => {
    const { events } = await running.open();
    await running.openWorker();
    const paused = makeTestScope();
    running.scope.onClose('paused queue', () => paused.close());
    const queue = openQueue(paused, { ...SETTLEMENT_QUEUE, url: running.redisUrl });
    await until(() =>
      queue.pause().then(
        () => true,
        () => false,
      ),
    );
    const claims = bed.fill();
    await events.recordImpression(await running.requestOf(claims));
    await until(() => running.isSettled(claims));
    await queue.resume();
  });

  it('continues after its connections to Redis were cut while it waited for a job', async () => {
    const { events } = await running.open();
    await running.openWorker();
    for (let round = 0; round < 2; round += 1) {
      await until(async () => (await running.cutWorkers()) > 0);
      const claims = bed.fill();
      await events.recordImpression(await running.requestOf(claims));
      await until(() => running.isSettled(claims));
    }
  });

  it('shows the backlog, the checks of the books and the overdrawn balances', async () => {
    const { events } = await running.open();
    await events.recordImpression(await running.requestOf(bed.fill()));
    await bed.settle();
    // Its first run finds an empty backlog; the next run comes seconds later.
    const worker = await running.openWorker();
    const metrics = () => worker.metrics.metrics();
    await until(async () =>
      (await metrics()).includes('placard_ledger_check_ok{check="accounts sum to zero"} 1'),
    );
    const text = await metrics();
    for (const name of ['placard_outbox_events', 'placard_outbox_oldest_seconds', 'placard_ledger_sum_nanos'])
      expect(text, name).to.match(new RegExp(`^${name} 0$`, 'm'));
    expect(text).to.match(/^placard_events_held_days 0$/m);
    expect(text).to.match(/^placard_ledger_overdrawn_nanos \d+$/m);
  });

  it('settles each event once with several workers', async () => {
    const { events, ledger } = await running.open();
    await Promise.all([running.openWorker(), running.openWorker(), running.openWorker()]);
    const fills = Array.from({ length: 60 }, () => bed.fill());
    const requests = await Promise.all(fills.map((claims) => running.requestOf(claims)));
    const answers = await Promise.all(requests.map((request) => events.recordImpression(request)));
    expect(answers.every(({ verdict }) => verdict === EventVerdict.ACCEPTED)).to.equal(true);
    const { checks } = await ledger.verifyLedger({ wait: true, funds: [], publishers: [], fundsOnly: false });
    expect(checks.filter((check) => !check.ok)).to.deep.equal([]);
    expect(checks.find((check) => check.name.startsWith('accepted'))?.detail).to.contain('+ 0 (');
  });
});
