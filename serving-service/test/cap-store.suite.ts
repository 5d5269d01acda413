import {
  asCampaignId,
  asPlacementCode,
  asRequestId,
  asSessionId,
  HOUR_MS,
  type CapPeriod,
  type SessionId,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import {
  campaignUnit,
  OPEN_UNIT,
  pendingCountsUntil,
  placementUnit,
  shownCountsUntil,
  type CapUnit,
} from '../src/caps/domain/caps.js';
import type { CapClaim, CapFill, CapStore } from '../src/caps/store/cap-store.js';
import { AD_TTL_MS } from './support/world.js';

/** When fills are claimed, epoch ms: twenty minutes before midnight UTC. */
export const START_MS = Date.UTC(2026, 4, 1, 23, 40);
/** When the sessions of these tests end. */
export const SESSION_END_MS = START_MS + HOUR_MS;
/** What most tests count. */
export const PLACEMENT = placementUnit(asPlacementCode('home'));
const CAMPAIGN = campaignUnit(asCampaignId('cmp_spring'));
let sessionCount = 0;
let requestCount = 0;

/** A session that no other test has used. */
export function aSession(): SessionId {
  sessionCount += 1;
  return asSessionId(`ses_${sessionCount}`);
}

/** A fill that no other test has made. */
export function aFill(sessionId: SessionId): CapFill {
  requestCount += 1;
  return { sessionId, requestId: asRequestId(`req_${requestCount}`) };
}

/** What a fill of that time claims of one unit while it can still be shown. */
export function claimOf(countMax: number, period: CapPeriod, filledAtMs: number, unit = PLACEMENT): CapClaim {
  const fill = { filledAtMs, expiresAtMs: filledAtMs + AD_TTL_MS };
  return { unit, countMax, countsUntilMs: pendingCountsUntil(period, fill, SESSION_END_MS) };
}

/**
 * The behaviour of every store of frequency caps. The store of `open` may hold fills of other tests, because each test has
 * its own sessions. Contract: docs/contract/selection.md#frequency-cap.
 */
export function describeCapStore(name: string, open: () => CapStore): void {
  describe(`a cap store ${name}`, () => {
    let caps: CapStore;
    let session: SessionId;
    beforeEach(() => {
      caps = open();
      session = aSession();
    });

    /** The unit that is full for the fill. Null: the fill was claimed. */
    const fullOf = async (fill: CapFill, claims: CapClaim[], nowMs = START_MS): Promise<CapUnit | null> =>
      (await caps.claim(fill, claims, nowMs))?.unit ?? null;
    const claimed = async (period: CapPeriod, nowMs = START_MS): Promise<CapFill> => {
      const fill = aFill(session);
      expect(await caps.claim(fill, [claimOf(9, period, nowMs)], nowMs)).to.equal(null);
      return fill;
    };
    /** Whether one more fill would be too many. */
    const isFull = async (nowMs = START_MS): Promise<boolean> =>
      (await fullOf(aFill(session), [claimOf(1, 'session', nowMs)], nowMs)) !== null;

    it('accepts exactly 3 of 20 parallel requests', async () => {
      const claims = Array.from({ length: 20 }, () =>
        fullOf(aFill(session), [claimOf(3, 'session', START_MS)]),
      );
      expect((await Promise.all(claims)).filter((unit) => unit === null)).to.have.length(3);
    });

    it('stops counting a fill that is never shown when it expires', async () => {
      await claimed('session');
      expect(await isFull(START_MS + AD_TTL_MS - 1)).to.equal(true);
      expect(await isFull(START_MS + AD_TTL_MS)).to.equal(false);
    });

    it('counts a shown fill for the rolling hour from the fill', async () => {
      const fill = await claimed('hour');
      const countsUntilMs = shownCountsUntil('hour', START_MS, SESSION_END_MS + HOUR_MS);
      await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs }], START_MS + 5_000);
      expect(await isFull(START_MS + HOUR_MS - 1)).to.equal(true);
      expect((await caps.counts(session, START_MS + HOUR_MS - 1)).get(PLACEMENT)).to.equal(1);
      expect((await caps.counts(session, START_MS + HOUR_MS)).size).to.equal(0);
      expect(await fullOf(aFill(session), [claimOf(1, 'hour', START_MS)], START_MS + HOUR_MS)).to.equal(null);
    });

    it('counts a fill whose impression is reported after the ad’s expiry', async () => {
      const fill = await claimed('session');
      const lateMs = START_MS + AD_TTL_MS + 1_000;
      await caps.counts(session, lateMs);
      await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs: SESSION_END_MS }], lateMs);
      expect(await isFull(lateMs)).to.equal(true);
    });

    it('does not count a suspicious fill, and counts every other', async () => {
      const [fill] = [await claimed('day'), await claimed('day')];
      for (let turn = 0; turn < 2; turn += 1) {
        await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs: 0 }], START_MS + 1);
        expect([...(await caps.counts(session, START_MS + 1))]).to.deep.equal([[PLACEMENT, 1]]);
      }
    });

    it('has room again when the only fill is taken out', async () => {
      await caps.settle(await claimed('day'), [{ unit: PLACEMENT, countsUntilMs: 0 }], START_MS + 1);
      expect((await caps.counts(session, START_MS + 1)).size).to.equal(0);
      expect(await isFull(START_MS + 1)).to.equal(false);
    });

    it('counts an open fill until it expires or is settled, and a repeated claim once', async () => {
      const open = (atMs: number): CapClaim[] => [
        { unit: OPEN_UNIT, countMax: 2, countsUntilMs: atMs + AD_TTL_MS },
      ];
      const [first, second, third, late] = [aFill(session), aFill(session), aFill(session), aFill(session)];
      expect(await fullOf(first, open(START_MS))).to.equal(null);
      expect(await fullOf(second, open(START_MS + 1))).to.equal(null);
      expect(await fullOf(second, open(START_MS + 1))).to.equal(null);
      expect(await fullOf(third, open(START_MS + 2))).to.equal(OPEN_UNIT);
      await caps.settle(first, [{ unit: OPEN_UNIT, countsUntilMs: 0 }], START_MS + 3);
      expect(await fullOf(third, open(START_MS + 3))).to.equal(null);
      expect(await fullOf(late, open(START_MS + 4))).to.equal(OPEN_UNIT);
      const overMs = START_MS + 1 + AD_TTL_MS;
      expect(await fullOf(late, open(overMs), overMs)).to.equal(null);
    });

    it('claims placement and campaign together or not at all, and names the full one', async () => {
      const both = (campaignMax: number): CapClaim[] => [
        claimOf(5, 'session', START_MS),
        claimOf(campaignMax, 'session', START_MS, CAMPAIGN),
      ];
      expect(await fullOf(aFill(session), both(1))).to.equal(null);
      expect(await fullOf(aFill(session), both(1))).to.equal(CAMPAIGN);
      const counts = await caps.counts(session, START_MS);
      expect(counts.get(PLACEMENT)).to.equal(1);
      expect(counts.get(CAMPAIGN)).to.equal(1);
    });

    it('names the first unit that is full', async () => {
      const full = [claimOf(1, 'session', START_MS, CAMPAIGN), claimOf(1, 'session', START_MS)];
      await caps.claim(aFill(session), full, START_MS);
      expect(await fullOf(aFill(session), full)).to.equal(CAMPAIGN);
      expect(await fullOf(aFill(session), full.toReversed())).to.equal(PLACEMENT);
    });

    it('returns with a refusal the current counts, without expired fills', async () => {
      const other = placementUnit(asPlacementCode('level_end'));
      const before = START_MS - AD_TTL_MS;
      await caps.claim(aFill(session), [claimOf(9, 'session', before, other)], before);
      await caps.claim(aFill(session), [claimOf(9, 'session', START_MS, CAMPAIGN)], START_MS);
      await claimed('session');
      const refusal = await caps.claim(aFill(session), [claimOf(1, 'session', START_MS)], START_MS);
      expect([...(refusal?.counts ?? [])]).to.have.deep.members([
        [CAMPAIGN, 1],
        [PLACEMENT, 1],
      ]);
    });

    it('keeps the time of a shown fill when the next one is taken out', async () => {
      const fill = await claimed('session');
      await caps.settle(fill, [{ unit: PLACEMENT, countsUntilMs: SESSION_END_MS }], START_MS);
      const next = await claimed('session');
      await caps.settle(next, [{ unit: PLACEMENT, countsUntilMs: START_MS + AD_TTL_MS }], START_MS);
      await caps.settle(next, [{ unit: PLACEMENT, countsUntilMs: 0 }], START_MS);
      expect(await isFull(START_MS + AD_TTL_MS)).to.equal(true);
    });

    it('counts a claim that is repeated for the same fill once', async () => {
      const fill = aFill(session);
      for (let turn = 0; turn < 2; turn += 1)
        expect(await fullOf(fill, [claimOf(1, 'session', START_MS)])).to.equal(null);
      expect((await caps.counts(session, START_MS)).get(PLACEMENT)).to.equal(1);
    });

    it('distinguishes units whose names begin alike', async () => {
      const long = placementUnit(asPlacementCode('home_banner'));
      await caps.claim(aFill(session), [claimOf(1, 'session', START_MS, long)], START_MS);
      expect(await isFull()).to.equal(false);
    });

    it('starts a new session at zero', async () => {
      await claimed('day');
      session = aSession();
      expect((await caps.counts(session, START_MS)).size).to.equal(0);
      expect(await isFull()).to.equal(false);
    });
  });
}
