import { expect } from 'chai';
import { openRewardStore } from '../src/rewards/store/rewards.pg.js';
import { makeHandOverRewards } from '../src/rewards/usecase/hand-over-rewards.js';
import { openBed, send, type Bed } from './support/bed.js';

describe('accepted rewards', () => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await openBed();
  });
  afterEach(() => bed.drop());

  const taken = async (countMax = 100) => makeHandOverRewards(openRewardStore(bed.pool)).take(countMax);
  const idsTaken = async (countMax?: number) => (await taken(countMax)).map(({ requestId }) => requestId);
  const rewarded = async (overrides: Parameters<Bed['fill']>[0] = {}, completion = true) => {
    const claims = bed.fill({ format: 'rewarded', ...overrides });
    const instance = bed.instance();
    expect(await send(instance, 'impression', claims)).to.equal('accepted');
    bed.clock.advance(1_000);
    expect(await send(instance, 'reward', claims, completion)).to.equal('accepted');
    return claims;
  };
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => (error as { readonly code?: string }).code,
    );

  it('wait until they are confirmed, and every taker gets them', async () => {
    const { requestId } = await rewarded();
    const acceptedAtMs = bed.clock.now();
    const expected = {
      requestId,
      publisherId: 'pub_sunrise',
      appId: 'app_sunrise_puzzle',
      placement: 'home_banner',
      isTest: false,
      acceptedAtMs,
    };
    expect(await taken()).to.deep.equal([expected]);
    expect(await taken()).to.deep.equal([expected]);
    const store = openRewardStore(bed.pool);
    expect(await store.waiting()).to.deep.equal({ count: 1, oldestAtMs: acceptedAtMs });
    await makeHandOverRewards(store).confirm([requestId, 'req_unknown']);
    await makeHandOverRewards(store).confirm([requestId]);
    expect(await taken()).to.deep.equal([]);
    expect(await store.waiting()).to.deep.equal({ count: 0, oldestAtMs: null });
  });

  it('of test ads wait too, and say so', async () => {
    const { requestId } = await rewarded({ isTest: true });
    const [reward] = await taken();
    expect(reward).to.include({ requestId, isTest: true });
  });

  it('are those with completion alone, each once', async () => {
    await rewarded({}, false);
    const claims = await rewarded();
    const others = await Promise.all(
      [true, false, true].map((done) => send(bed.instance(), 'reward', claims, done)),
    );
    expect(others).to.deep.equal(['duplicate', 'duplicate', 'duplicate']);
    expect(await idsTaken()).to.deep.equal([claims.requestId]);
  });

  it('do not wait when they were confirmed and are reported again', async () => {
    const claims = await rewarded();
    await makeHandOverRewards(openRewardStore(bed.pool)).confirm([claims.requestId]);
    expect(await send(bed.instance(), 'reward', claims)).to.equal('duplicate');
    expect(await taken()).to.deep.equal([]);
  });

  it('are taken oldest first, and confirmed by two callers at once without a deadlock', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await rewarded()).requestId);
    expect(await idsTaken(2)).to.deep.equal(ids.slice(0, 2));
    const rewards = makeHandOverRewards(openRewardStore(bed.pool));
    await Promise.all([rewards.confirm(ids), rewards.confirm([...ids].reverse())]);
    expect(await taken()).to.deep.equal([]);
  });

  it('wait also when a release that does not know of them accepts them', async () => {
    const { requestId } = await rewarded();
    await bed.pool.query('DELETE FROM events.accepted_reward');
    const copy = requestId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    await bed.pool.query(
      `INSERT INTO events.event
       SELECT (jsonb_populate_record(event, jsonb_build_object('request_id', $2::text))).*
       FROM events.event WHERE request_id = $1 AND type = 'reward'`,
      [requestId, copy],
    );
    expect(await idsTaken()).to.deep.equal([copy]);
  });

  it('are not kept when their event is not: both are one transaction', async () => {
    const { requestId } = await rewarded();
    await bed.pool.query('DELETE FROM events.accepted_reward');
    const client = await bed.pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO events.event
       SELECT (jsonb_populate_record(event, jsonb_build_object('request_id', 'req_lost'))).*
       FROM events.event WHERE request_id = $1 AND type = 'reward'`,
      [requestId],
    );
    const { rows } = await client.query('SELECT request_id FROM events.accepted_reward');
    expect(rows).to.deep.equal([{ request_id: 'req_lost' }]);
    await client.query('ROLLBACK');
    client.release();
    expect(await taken()).to.deep.equal([]);
  });

  it('that nobody has confirmed for long are deleted, and younger ones are not', async () => {
    const { requestId } = await rewarded();
    const old = await rewarded();
    await bed.pool.query(
      `UPDATE events.accepted_reward SET accepted_at = now() - interval '31 days' WHERE request_id = $1`,
      [old.requestId],
    );
    await openRewardStore(bed.pool).prune(30 * 86_400);
    expect(await idsTaken()).to.deep.equal([requestId]);
  });

  it('are asked for in bounded numbers', async () => {
    for (const count of [0, 1_001]) expect(await codeOf(taken(count))).to.equal('invalid_argument');
    const many = makeHandOverRewards(openRewardStore(bed.pool)).confirm(Array<string>(1_001).fill('x'));
    expect(await codeOf(many)).to.equal('invalid_argument');
  });
});
