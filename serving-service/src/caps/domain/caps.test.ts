import { expect } from 'chai';
import { asCampaignId, asPlacementCode, DAY_MS, HOUR_MS } from '@placard/service-kit/pure';
import { NOON } from '../../../test/support/world.js';
import {
  campaignUnit,
  isCapped,
  NO_COUNTS,
  OPEN_UNIT,
  pendingCountsUntil,
  placementUnit,
  shownCountsUntil,
} from './caps.js';

const LATER = NOON + 7 * DAY_MS;

describe('a frequency cap', () => {
  const unit = placementUnit(asPlacementCode('home'));
  const cap = { count: 2, period: 'session' } as const;

  it('is reached by as many fills of its unit as it allows', () => {
    const isCappedAt = (count: number) => isCapped(new Map([[unit, count]]), unit, cap);
    expect([1, 2, 3].map(isCappedAt)).to.deep.equal([false, true, true]);
  });

  it('counts nothing of another unit, and is never reached where there is none', () => {
    const counts = new Map([[campaignUnit(asCampaignId('cmp_home')), 9]]);
    expect(isCapped(counts, unit, cap)).to.equal(false);
    expect(isCapped(NO_COUNTS, unit, { count: 1, period: 'day' })).to.equal(false);
    expect(isCapped(new Map([[unit, 9]]), unit, null)).to.equal(false);
  });

  it('has units of placements, of campaigns and of open fills that never meet', () => {
    expect([unit, campaignUnit(asCampaignId('cmp_a')), OPEN_UNIT]).to.deep.equal(['p:home', 'c:cmp_a', 'o']);
  });

  it('counts a shown fill for an hour, a day or the session from the fill on, and not beyond the session', () => {
    expect(shownCountsUntil('hour', NOON, LATER)).to.equal(NOON + HOUR_MS);
    expect(shownCountsUntil('day', NOON, LATER)).to.equal(NOON + DAY_MS);
    expect(shownCountsUntil('session', NOON, LATER)).to.equal(LATER);
    for (const period of ['hour', 'day', 'session'] as const)
      expect(shownCountsUntil(period, NOON, NOON + 5), period).to.equal(NOON + 5);
  });

  it('counts a fill that can still be shown until it expires, and not beyond its period or session', () => {
    const until = (period: 'hour' | 'session', expiresAtMs: number, sessionEndsAtMs = LATER) =>
      pendingCountsUntil(period, { filledAtMs: NOON, expiresAtMs }, sessionEndsAtMs);
    expect(until('hour', NOON + 5)).to.equal(NOON + 5);
    expect(until('hour', NOON + HOUR_MS + 1)).to.equal(NOON + HOUR_MS);
    expect(until('session', NOON + HOUR_MS + 1)).to.equal(NOON + HOUR_MS + 1);
    expect(until('session', NOON + HOUR_MS, NOON + 7)).to.equal(NOON + 7);
  });
});
