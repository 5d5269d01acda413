import { expect } from 'chai';
import { connectRedis, type RedisClient } from '@placard/service-kit/redis';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import {
  asCampaignId,
  asPlacementCode,
  asRequestId,
  asSessionId,
  HOUR_MS,
  type CapPeriod,
} from '@placard/service-kit/pure';
import {
  campaignUnit,
  pendingCountsUntil,
  placementUnit,
  shownCountsUntil,
  type CapUnit,
} from '../src/caps/domain/caps.js';
import type { CapClaim, CapFill, CapStore } from '../src/caps/store/cap-store.js';
import { makeRedisCaps } from '../src/caps/store/cap-store.redis.js';
import { AD_TTL_MS } from './support/world.js';

const START = Date.UTC(2026, 4, 1, 23, 40);
/** Time that may pass between two reads of the clock of Redis. */
const TOLERANCE_MS = 2_000;
const SESSION = asSessionId('s1');
const SESSION_END = START + HOUR_MS;
const PLACEMENT = placementUnit(asPlacementCode('home'));
const CAMPAIGN = campaignUnit(asCampaignId('cmp_spring'));

describe('frequency caps in Redis', () => {
  let redis: RedisClient;
  let url: string;
  let caps: CapStore;
  let requests = 0;

  beforeEach(async () => {
    ({ redis, url } = await openTestRedis());
    caps = makeRedisCaps(redis);
  });
  afterEach(() => redis.disconnect());

  function claimOf(countMax: number, period: CapPeriod, atMs: number, unit = PLACEMENT): CapClaim {
    const fill = { filledAtMs: atMs, expiresAtMs: atMs + AD_TTL_MS };
    return { unit, countMax, countsUntilMs: pendingCountsUntil(period, fill, SESSION_END) };
  }

  /** The unit that is full for the fill. Null: the fill was claimed. */
  const fullOf = async (fill: CapFill, claims: CapClaim[], nowMs = START): Promise<CapUnit | null> =>
    (await caps.claim(fill, claims, nowMs))?.unit ?? null;

  function aFill(sessionId = SESSION) {
    requests += 1;
    return { sessionId, requestId: asRequestId(`req_${requests}`) };
  }

  it('accept exactly 3 of 20 parallel requests on two replicas, in each of 50 sessions', async () => {
    const second = connectRedis({ url, name: 'second replica', waitsForRedis: true });
    const stores = [caps, makeRedisCaps(second)];
    for (let session = 0; session < 50; session += 1) {
      const full = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          stores[n % 2]!.claim(aFill(asSessionId(`s${session}`)), [claimOf(3, 'session', START)], START),
        ),
      );
      expect(full.filter((unit) => unit === null)).to.have.length(3);
    }
    second.disconnect();
  });

  it('stops counting a fill that is never shown when it expires', async () => {
    const claim = (atMs: number) => fullOf(aFill(), [claimOf(1, 'session', atMs)], atMs);
    expect(await claim(START)).to.equal(null);
    expect(await claim(START + AD_TTL_MS - 1)).to.equal(PLACEMENT);
    expect(await claim(START + AD_TTL_MS)).to.equal(null);
  });

  it('counts a shown fill for the rolling hour from the fill', async () => {
    const fill = aFill();
    const end = SESSION_END + HOUR_MS;
    await caps.claim(fill, [claimOf(1, 'hour', START)], START);
    const countsUntilMs = shownCountsUntil('hour', START, end);
    await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs }], START + 5_000);
    const again = (atMs: number) => fullOf(aFill(), [claimOf(1, 'hour', atMs)], atMs);
    expect(await again(START + HOUR_MS - 1)).to.equal(PLACEMENT);
    expect(await again(START + HOUR_MS)).to.equal(null);
  });

  it('counts a fill whose impression is reported after the ad’s expiry', async () => {
    const fill = aFill();
    await caps.claim(fill, [claimOf(1, 'session', START)], START);
    const late = START + AD_TTL_MS + 1_000;
    await caps.counts(SESSION, late);
    await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs: SESSION_END }], late);
    expect(await fullOf(aFill(), [claimOf(1, 'session', late)], late)).to.equal(PLACEMENT);
  });

  it('does not count a suspicious fill', async () => {
    const fill = aFill();
    await caps.claim(fill, [claimOf(1, 'day', START)], START);
    await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs: 0 }], START + 1);
    expect((await caps.counts(SESSION, START + 1)).size).to.equal(0);
    expect(await fullOf(aFill(), [claimOf(1, 'day', START + 1)], START + 1)).to.equal(null);
  });

  it('claims placement and campaign together or not at all, and names the full one', async () => {
    const both = (campaignMax: number) => [
      claimOf(5, 'session', START),
      claimOf(campaignMax, 'session', START, CAMPAIGN),
    ];
    expect(await fullOf(aFill(), both(1), START)).to.equal(null);
    expect(await fullOf(aFill(), both(1), START)).to.equal(CAMPAIGN);
    const counts = await caps.counts(SESSION, START);
    expect(counts.get(PLACEMENT)).to.equal(1);
    expect(counts.get(CAMPAIGN)).to.equal(1);
  });

  it('returns with a refusal the current counts, without expired fills', async () => {
    const other = placementUnit(asPlacementCode('level_end'));
    await caps.claim(aFill(), [claimOf(9, 'session', START - AD_TTL_MS, other)], START - AD_TTL_MS);
    await caps.claim(aFill(), [claimOf(9, 'session', START, CAMPAIGN)], START);
    await caps.claim(aFill(), [claimOf(1, 'session', START)], START);
    const refusal = await caps.claim(aFill(), [claimOf(1, 'session', START)], START);
    expect([...(refusal?.counts ?? [])]).to.have.deep.members([
      [CAMPAIGN, 1],
      [PLACEMENT, 1],
    ]);
  });

  it('keeps the lifetime of its key when the next fill counts for a shorter time', async () => {
    const fill = aFill();
    await caps.claim(fill, [claimOf(9, 'session', START)], START);
    await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs: SESSION_END }], START);
    const next = aFill();
    await caps.claim(next, [claimOf(9, 'session', START)], START);
    await caps.settle(next, [{ unit: PLACEMENT, countsUntilMs: START + AD_TTL_MS }], START);
    await caps.settle(next, [{ unit: PLACEMENT, countsUntilMs: 0 }], START);
    expect(await redis.pttl('{ses:s1}:cap:fills')).to.be.within(HOUR_MS - TOLERANCE_MS, HOUR_MS);
    expect(await fullOf(aFill(), [claimOf(1, 'session', START)])).to.equal(PLACEMENT);
  });

  it('counts a claim that is repeated for the same fill once', async () => {
    const fill = aFill();
    await caps.claim(fill, [claimOf(1, 'session', START)], START);
    expect(await fullOf(fill, [claimOf(1, 'session', START)], START)).to.equal(null);
  });

  it('distinguishes units whose names begin alike', async () => {
    const long = placementUnit(asPlacementCode('home_banner'));
    await caps.claim(aFill(), [claimOf(1, 'session', START, long)], START);
    expect(await fullOf(aFill(), [claimOf(1, 'session', START)], START)).to.equal(null);
  });

  it('starts a new session at zero', async () => {
    await caps.claim(aFill(), [claimOf(1, 'day', START)], START);
    const other = aFill(asSessionId('s2'));
    expect(await fullOf(other, [claimOf(1, 'day', START)], START)).to.equal(null);
  });

  it('gives every key a lifetime that ends with the last fill that counts', async () => {
    const fill = aFill();
    await caps.claim(fill, [claimOf(2, 'day', START)], START);
    const [key] = await redis.keys('*');
    expect(key).to.equal('{ses:s1}:cap:fills');
    expect(await redis.pttl(key!)).to.be.within(AD_TTL_MS - TOLERANCE_MS, AD_TTL_MS);
    const countsUntilMs = shownCountsUntil('day', START, SESSION_END);
    await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs }], START);
    expect(await redis.pttl(key!)).to.be.within(HOUR_MS - TOLERANCE_MS, HOUR_MS);
  });

  it('restores the lifetime of a key that has lost it', async () => {
    await caps.claim(aFill(), [claimOf(2, 'session', START)], START);
    await redis.persist('{ses:s1}:cap:fills');
    await caps.claim(aFill(), [claimOf(2, 'session', START)], START);
    expect(await redis.pttl('{ses:s1}:cap:fills')).to.be.within(1, AD_TTL_MS);
  });
});
