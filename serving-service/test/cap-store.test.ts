import { expect } from 'chai';
import { connectRedis, type RedisClient } from '@placard/service-kit/redis';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { asSessionId, HOUR_MS } from '@placard/service-kit/pure';
import { OPEN_UNIT, shownCountsUntil } from '../src/caps/domain/caps.js';
import type { CapStore } from '../src/caps/store/cap-store.js';
import { makeRedisCaps } from '../src/caps/store/cap-store.redis.js';
import {
  aFill,
  aSession,
  claimOf,
  describeCapStore,
  PLACEMENT,
  SESSION_END_MS,
  START_MS,
} from './cap-store.suite.js';
import { makeMemoryCaps } from './support/memory-stores.js';
import { AD_TTL_MS } from './support/world.js';

/** Between two readings of Redis's clock. */
const TOLERANCE_MS = 2_000;
/** Keys may live so much longer than necessary. */
const SPARE_MS = 60_000;

let redis: RedisClient;
let url: string;
before(async () => {
  ({ redis, url } = await openTestRedis());
});
after(() => redis.disconnect());

describeCapStore('in Redis', () => makeRedisCaps(redis, null));
describeCapStore('in memory', () => makeMemoryCaps());

describe('a cap store in Redis, by its keys and connections', () => {
  const SESSION = asSessionId('s1');
  const KEY = '{ses:s1}:cap:fills';
  let caps: CapStore;
  beforeEach(async () => {
    await redis.flushdb();
    caps = makeRedisCaps(redis, null);
  });

  it('lets exactly 3 of 20 parallel requests through, over two replicas, in each of 50 sessions', async () => {
    const second = connectRedis({ url, name: 'second replica', waitsForRedis: true });
    const stores = [caps, makeRedisCaps(second, null)];
    for (let round = 0; round < 50; round += 1) {
      const session = aSession();
      const full = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          stores[n % 2]!.claim(aFill(session), [claimOf(3, 'session', START_MS)], START_MS),
        ),
      );
      expect(full.filter((unit) => unit === null)).to.have.length(3);
    }
    second.disconnect();
  });

  it('keeps the lifetime of a fill that counts longer than the next one', async () => {
    const [fill, next] = [aFill(SESSION), aFill(SESSION)];
    for (const [one, untilMs] of [
      [fill, SESSION_END_MS],
      [next, START_MS + AD_TTL_MS],
      [next, 0],
    ] as const) {
      await caps.claim(one, [claimOf(9, 'session', START_MS)], START_MS);
      await caps.settle(one, [{ unit: PLACEMENT, countsUntilMs: untilMs }], START_MS);
    }
    expect(await redis.pttl(KEY)).to.be.within(HOUR_MS - TOLERANCE_MS, HOUR_MS + SPARE_MS);
  });

  it('gives every key a lifetime that ends soon after the last fill that counts', async () => {
    const fill = aFill(SESSION);
    await caps.claim(fill, [claimOf(2, 'day', START_MS)], START_MS);
    expect(await redis.keys('*')).to.deep.equal([KEY]);
    expect(await redis.pttl(KEY)).to.be.within(AD_TTL_MS - TOLERANCE_MS, AD_TTL_MS + SPARE_MS);
    const countsUntilMs = shownCountsUntil('day', START_MS, SESSION_END_MS);
    await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs }], START_MS);
    expect(await redis.pttl(KEY)).to.be.within(HOUR_MS - TOLERANCE_MS, HOUR_MS + SPARE_MS);
  });

  it('says with a refusal for too many open fills which fills count for caps', async () => {
    await caps.claim(aFill(SESSION), [claimOf(9, 'session', START_MS)], START_MS);
    const open = { unit: OPEN_UNIT, countMax: 0, countsUntilMs: START_MS + AD_TTL_MS };
    const refusal = await caps.claim(aFill(SESSION), [claimOf(9, 'session', START_MS), open], START_MS);
    expect(refusal?.unit).to.equal(OPEN_UNIT);
    expect([...(refusal?.counts ?? [])]).to.deep.equal([[PLACEMENT, 1]]);
  });

  it('heals a key whose lifetime was lost', async () => {
    await caps.claim(aFill(SESSION), [claimOf(2, 'session', START_MS)], START_MS);
    await redis.persist(KEY);
    await caps.claim(aFill(SESSION), [claimOf(2, 'session', START_MS)], START_MS);
    expect(await redis.pttl(KEY)).to.be.within(1, AD_TTL_MS + SPARE_MS);
  });
});
