import {
  makeSigningKey,
  publicJwkOf,
  makePostSigned,
  type CallbackResult,
  type SigningKey,
} from '@placard/service-kit/callbacks';
import { DAY_MS } from '@placard/service-kit/pure';
import { openQueue } from '@placard/service-kit/queue';
import { makeTestScope, until, type TestScope } from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { base64url, compactVerify, createLocalJWKSet } from 'jose';
import { makePgReportObjects } from '../../src/reports/store/report-objects.pg.js';
import type { Reward } from '../../src/rewards/domain/reward-callback.js';
import { openRewards, REWARD_QUEUE } from '../../src/rewards/open-rewards.js';
import { makePgCallbackStore } from '../../src/rewards/store/callbacks.pg.js';
import type { CallbackStore, DueAttempt } from '../../src/rewards/store/callbacks.js';
import { makeCollectRewards } from '../../src/rewards/usecase/collect-rewards.js';
import { makeRewardLog, type RewardLog } from '../../src/rewards/usecase/reward-log.js';
import { makeSendReward } from '../../src/rewards/usecase/send-reward.js';
import { openTestCatalog, type TestCatalog } from '../support/open-catalog.js';
import { openTestReceiver, type TestReceiver } from '../support/receiver.js';
import {
  makeRewardSource,
  otherRewardOf,
  rewardedCatalog,
  rewardOf,
  type RewardSource,
} from '../support/rewarded-catalog.js';

const ACTOR = 'key_0123456789abcdef (ops)';
const REFUSED: CallbackResult = { isDelivered: false, isSilent: false, reason: 'The answer was 500.' };
const ANY = {
  publisherId: null,
  appId: null,
  placementId: null,
  requestId: null,
  status: null,
  before: null,
  rowsMax: 100,
} as const;

describe('reward callbacks', () => {
  let catalog: TestCatalog;
  let receiver: TestReceiver;
  let redisUrl: string;
  let signingKey: SigningKey;
  let store: CallbackStore;
  before(async () => {
    signingKey = await makeSigningKey('key_test');
    receiver = await openTestReceiver();
    catalog = await openTestCatalog();
    store = makePgCallbackStore(catalog.pool);
    const { redis, url } = await openTestRedis();
    redis.disconnect();
    redisUrl = url;
  });
  after(async () => {
    receiver.close();
    await catalog.close();
  });

  const scopes: TestScope[] = [];
  beforeEach(async () => {
    await catalog.apply(rewardedCatalog(receiver.url, receiver.otherUrl));
    await catalog.pool.query('DELETE FROM rewards.callback');
    Object.assign(receiver, { status: 204, address: '127.0.0.1' });
    receiver.received.length = 0;
  });
  afterEach(async () => {
    for (const scope of scopes.splice(0)) await scope.close();
    const { redis } = await openTestRedis();
    await redis.flushdb();
    redis.disconnect();
  });

  /** A console-service that collects from a source and sends. */
  const running = (source: RewardSource): { readonly scope: TestScope; readonly log: RewardLog } => {
    const scope = makeTestScope({ name: 'console-service', clock: catalog.clock });
    scopes.push(scope);
    const log = openRewards(scope, {
      pool: catalog.pool,
      redis: { url: redisUrl },
      callbacks: receiver.callbacks,
      signingKeys: { current: () => Promise.resolve(signingKey) },
      accepted: source,
    });
    return { scope, log };
  };
  /** The log without a queue. */
  const logOf = (onReplay: (attempt: DueAttempt) => void = () => undefined): RewardLog =>
    makeRewardLog({
      callbacks: store,
      objects: makePgReportObjects(catalog.pool),
      clock: catalog.clock,
      onReplay,
    });
  /** Takes the callback address of `app_a/video` away. */
  const endCallbacks = async (): Promise<void> => {
    const text = JSON.stringify({
      publishers: [{ id: 'pub_a', apps: [{ id: 'app_a', placements: [{ code: 'video', reward: null }] }] }],
    });
    expect((await catalog.apply(text)).faults).to.deep.equal([]);
  };
  const rowsOf = (filter: Partial<typeof ANY> = {}) => store.list({ ...ANY, ...filter });
  const statusOf = async (number = 1) => {
    const [row] = await store.list({ ...ANY, requestId: rewardOf(number).requestId });
    return row?.status;
  };
  const openJobs = async (scope: TestScope) => {
    const queue = openQueue<DueAttempt>(scope, { ...REWARD_QUEUE, url: redisUrl });
    await until(() => scope.health.components()['redis']?.ok === true);
    return queue;
  };
  /** Sends by hand, so that a test can move the clock between attempts. */
  const senderBy = (result: CallbackResult) =>
    makeSendReward({
      callbacks: store,
      postSigned: makePostSigned({
        signingKey: () => Promise.resolve(signingKey),
        post: () => Promise.resolve(result),
        now: () => catalog.clock.now(),
      }),
      clock: catalog.clock,
    });
  const stored = async (...rewards: readonly Reward[]): Promise<DueAttempt> => {
    const [first] = await store.add(rewards, catalog.clock.now());
    return first!;
  };

  it('are signed, sent once, and tell a live reward from a test reward', async () => {
    const source = makeRewardSource(rewardOf(1), rewardOf(2, { isTest: true }));
    running(source);
    await until(() => receiver.received.length === 2);
    await until(async () => (await rowsOf({})).every(({ status }) => status === 'delivered'));
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(bodies.find(({ test }) => test === false)).to.deep.equal({
      id: `rwd_${'1'.padStart(32, '0')}`,
      type: 'reward.accepted',
      request_id: rewardOf(1).requestId,
      app: 'app_a',
      placement: 'video',
      item: 'coins',
      amount: 50,
      rewarded_at: '2026-05-01T11:59:00.000Z',
      test: false,
    });
    expect(bodies.find(({ test }) => test === true)).to.include({ request_id: rewardOf(2).requestId });
    for (const { signature, body } of receiver.received) {
      const [header = '', , mark = ''] = signature.split('.');
      const { protectedHeader } = await compactVerify(
        `${header}.${base64url.encode(body)}.${mark}`,
        createLocalJWKSet({ keys: [publicJwkOf(signingKey)] }),
      );
      const { id } = JSON.parse(body) as { readonly id: string };
      expect(protectedHeader).to.include({ alg: 'EdDSA', kid: 'key_test', jti: id });
    }
    expect(source.waiting.size).to.equal(0);
  });

  it('are not made for placements without a reward, nor for removed ones', async () => {
    const source = makeRewardSource(
      rewardOf(1, { placement: 'plain' as Reward['placement'] }),
      rewardOf(2, { placement: 'gone' as Reward['placement'] }),
    );
    running(source);
    await until(() => source.waiting.size === 0);
    expect(await rowsOf()).to.deep.equal([]);
  });

  it('are made once when the process is killed between the storage and the confirmation', async () => {
    const source = makeRewardSource(rewardOf(1));
    source.lostConfirmations = 1;
    running(source);
    await until(() => source.waiting.size === 0);
    await until(async () => (await statusOf()) === 'delivered');
    expect(receiver.received).to.have.length(1);
    expect((await rowsOf())[0]).to.include({ attempts: 1, fault: null });
  });

  it('are made once when two processes take the same rewards at the same time', async () => {
    const source = makeRewardSource(...Array.from({ length: 600 }, (_, n) => rewardOf(n)));
    const first: DueAttempt[] = [];
    const collect = () =>
      makeCollectRewards({
        accepted: { take: (max) => source.take(max), confirm: (ids) => source.confirm(ids) },
        callbacks: store,
        clock: catalog.clock,
        onStored: (attempts) => first.push(...attempts),
        isStopping: () => false,
      })();
    await Promise.all([collect(), collect()]);
    expect(source.waiting.size).to.equal(0);
    expect(new Set(first.map(({ requestId }) => requestId)).size).to.equal(600);
    expect(first).to.have.length(600);
  });

  it('are sent again after ten seconds when the receiver did not accept them, with the same body', async () => {
    receiver.status = 503;
    const { scope } = running(makeRewardSource(rewardOf(1)));
    await until(async () => (await rowsOf())[0]?.attempts === 1);
    expect((await rowsOf())[0]).to.include({ status: 'waiting', fault: 'The answer was 503.' });
    const queue = await openJobs(scope);
    let [job] = await queue.getDelayed();
    await until(async () => ([job] = await queue.getDelayed()).length > 0);
    expect(job?.delay).to.equal(10_000);
    receiver.status = 204;
    await job?.promote();
    await until(async () => (await statusOf()) === 'delivered');
    expect((await rowsOf())[0]).to.include({ attempts: 2, fault: null, nextAtMs: null });
    expect(receiver.received[1]?.body).to.equal(receiver.received[0]?.body);
  });

  it('come back from Postgres when Redis has lost its data', async () => {
    receiver.status = 503;
    const { scope } = running(makeRewardSource(rewardOf(1)));
    const queue = await openJobs(scope);
    await until(async () => (await queue.getDelayed()).length > 0);
    await queue.obliterate({ force: true });
    expect(await queue.getDelayed()).to.deep.equal([]);
    running(makeRewardSource());
    await until(async () => (await queue.getDelayed()).length > 0);
    const [job] = await queue.getDelayed();
    expect(job?.data).to.deep.equal({ requestId: rewardOf(1).requestId, round: 1, attempts: 1 });
  });

  it('are not sent to a host that has moved into a private network since it was saved', async () => {
    receiver.address = '10.0.0.1';
    running(makeRewardSource(rewardOf(1)));
    await until(async () => (await rowsOf())[0]?.attempts === 1);
    expect((await rowsOf())[0]?.fault).to.equal(
      'The host of the address is in a private or reserved network.',
    );
    expect(receiver.received).to.deep.equal([]);
  });

  it('are repeated for a day and given up then', async () => {
    const beganAtMs = catalog.clock.now();
    const send = senderBy(REFUSED);
    let attempt = await stored(rewardOf(1));
    for (;;) {
      const end = await send(attempt);
      expect(await send(attempt), 'the same attempt again').to.deep.equal({ result: 'over' });
      if (end.result !== 'failed') {
        expect(end).to.deep.equal({ result: 'given_up' });
        break;
      }
      attempt = end.next;
      catalog.clock.set(attempt.nextAtMs);
    }
    const lastedMs = catalog.clock.now() - beganAtMs;
    expect(lastedMs).to.be.within(DAY_MS - 3_600_000, DAY_MS);
    expect((await rowsOf())[0]).to.include({
      status: 'given_up',
      attempts: attempt.attempts + 1,
      attemptedAtMs: catalog.clock.now(),
      nextAtMs: null,
      fault: 'The answer was 500.',
      deliveredAtMs: null,
    });
    expect(await store.listDue(catalog.clock.now() + DAY_MS, null, 10)).to.deep.equal([]);
  });

  it('are replayed with the same id and body, delivered or given up, and the audit has the replay', async () => {
    const { log } = running(makeRewardSource(rewardOf(1)));
    await until(async () => (await statusOf()) === 'delivered');
    const row = await log.replay(rewardOf(1).requestId, ACTOR);
    expect(row).to.include({ status: 'waiting', attempts: 1 });
    await until(async () => (await rowsOf())[0]?.attempts === 2);
    expect(await statusOf()).to.equal('delivered');
    expect(receiver.received[1]?.body).to.equal(receiver.received[0]?.body);
    const { rows } = await catalog.pool.query<Record<string, unknown>>(
      `SELECT actor, action, detail FROM audit.access WHERE subject = $1`,
      [rewardOf(1).requestId],
    );
    expect(rows).to.deep.equal([
      { actor: ACTOR, action: 'reward_replayed', detail: { app: 'app_a', placement: 'video' } },
    ]);
  });

  it('that are replayed while they wait begin a new day, and the attempt before is dropped', async () => {
    const send = senderBy(REFUSED);
    const first = await stored(rewardOf(1));
    const end = await send(first);
    catalog.clock.advance(DAY_MS);
    const begun: DueAttempt[] = [];
    const log = logOf((attempt) => begun.push(attempt));
    await log.replay(rewardOf(1).requestId, ACTOR);
    expect(end.result === 'failed' && (await send(end.next))).to.deep.equal({ result: 'over' });
    const again = await send(begun[0]!);
    expect(again.result).to.equal('failed');
    expect((await rowsOf())[0]).to.include({ attempts: 2 });
  });

  it('are not replayed when there is none', async () => {
    const log = logOf();
    const code = await log.replay('req_unknown', ACTOR).then(
      () => null,
      (error: unknown) => (error as { readonly code?: string }).code,
    );
    expect(code).to.equal('not_found');
  });

  it('are not replayed without a callback address, and stay as they are', async () => {
    const requestIds = [rewardOf(1).requestId, rewardOf(2).requestId];
    await senderBy({ isDelivered: true })(await stored(rewardOf(1)));
    await stored(rewardOf(2));
    await endCallbacks();
    const before = await rowsOf();
    expect(before.map(({ status }) => status)).to.deep.equal(['waiting', 'delivered']);
    const begun: DueAttempt[] = [];
    const log = logOf((attempt) => begun.push(attempt));
    for (const requestId of requestIds) {
      const error = await log.replay(requestId, 'key_refused').catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'failed_precondition' });
      expect(String(error)).to.contain('Give the placement a reward in the catalog, then replay it.');
    }
    expect(await rowsOf()).to.deep.equal(before);
    expect(begun).to.deep.equal([]);
    const { rows } = await catalog.pool.query(`SELECT FROM audit.access WHERE actor = 'key_refused'`);
    expect(rows).to.deep.equal([]);
    await catalog.apply(rewardedCatalog(receiver.url, receiver.otherUrl));
    expect(await log.replay(rewardOf(1).requestId, ACTOR)).to.include({ status: 'waiting' });
  });

  it('keep what the placement gave, and go to its present address', async () => {
    await stored(rewardOf(1));
    const text = rewardedCatalog(receiver.otherUrl, receiver.otherUrl).replaceAll('coins', 'gems');
    expect((await catalog.apply(text)).faults).to.deep.equal([]);
    running(makeRewardSource());
    await until(async () => (await statusOf()) === 'delivered');
    const [received] = receiver.received;
    expect(received?.host).to.equal('other.example.com');
    expect(JSON.parse(received?.body ?? '')).to.include({ item: 'coins' });
  });

  it('wait while their placement has no address any more', async () => {
    await stored(rewardOf(1));
    await endCallbacks();
    running(makeRewardSource());
    await until(async () => (await rowsOf())[0]?.attempts === 1);
    expect((await rowsOf())[0]).to.include({
      status: 'waiting',
      fault: 'The placement has no callback address.',
    });
  });

  it('of two publishers are listed apart, newest ads first, page by page', async () => {
    await stored(rewardOf(1), otherRewardOf(2), rewardOf(3), otherRewardOf(4), rewardOf(5));
    const log = logOf();
    const idsOf = async (page: Partial<Parameters<RewardLog['list']>[0]>) =>
      (await log.list({ ...ANY, ...page })).rows.map(({ requestId }) => Number(requestId.slice(-2)));
    expect(await idsOf({})).to.deep.equal([5, 4, 3, 2, 1]);
    expect(await idsOf({ publisherId: 'pub_a' })).to.deep.equal([5, 3, 1]);
    expect(await idsOf({ appId: 'app_b' })).to.deep.equal([4, 2]);
    expect(await idsOf({ placementId: 'app_b/video' })).to.deep.equal([4, 2]);
    expect(await idsOf({ placementId: 'app_b/plain' })).to.deep.equal([]);
    expect(await idsOf({ status: 'waiting' })).to.have.length(5);
    expect(await idsOf({ status: 'delivered' })).to.deep.equal([]);
    const { next } = await log.list({ ...ANY, publisherId: 'pub_a', rowsMax: 2 });
    expect(await idsOf({ publisherId: 'pub_a', before: next })).to.deep.equal([1]);
  });

  it('are deleted after 30 days, unless they still wait', async () => {
    const send = senderBy({ isDelivered: true });
    await send(await stored(rewardOf(1)));
    await stored(rewardOf(2));
    await store.prune(catalog.clock.now());
    expect(await rowsOf()).to.have.length(2);
    await store.prune(catalog.clock.now() + 1);
    expect((await rowsOf()).map(({ requestId }) => requestId)).to.deep.equal([rewardOf(2).requestId]);
    expect(await store.waiting()).to.deep.equal({ count: 1, oldestAtMs: rewardOf(2).rewardedAtMs });
  });
});
