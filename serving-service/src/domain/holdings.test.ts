import { asAdvertiserId, asCampaignId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { CLOSED_BY_MS, type HeldMinute } from './budget.js';
import { HOLDERS_MAX, holdingsOf } from './holdings.js';

const NOON = Date.UTC(2026, 4, 1, 12);

function minuteOf(campaign: string, changes: Partial<HeldMinute> = {}): HeldMinute {
  return {
    advertiserId: asAdvertiserId('adv_north'),
    campaignId: asCampaignId(campaign),
    minute: NOON / 60_000,
    expiresAtMs: NOON,
    reservedNanos: 10n,
    shownNanos: 0n,
    openCount: 2,
    generation: '1',
    ...changes,
  };
}

describe('what campaigns hold', () => {
  it('is what is reserved and not known as shown, over all their minutes', () => {
    const { byCampaign, others } = holdingsOf(
      [minuteOf('cmp_a', { shownNanos: 4n }), minuteOf('cmp_a'), minuteOf('cmp_b')],
      NOON,
    );
    expect([...byCampaign]).to.eql([
      ['cmp_a', { heldNanos: 16n, openCount: 4 }],
      ['cmp_b', { heldNanos: 10n, openCount: 2 }],
    ]);
    expect(others).to.eql({ heldNanos: 0n, openCount: 0 });
  });

  it('is shown for the 200 that hold most, and summed for the rest', () => {
    const minutes = Array.from({ length: HOLDERS_MAX + 3 }, (_, n) =>
      minuteOf(`cmp_${n}`, { reservedNanos: BigInt(n + 1) }),
    );
    const { byCampaign, others } = holdingsOf(minutes, NOON);
    expect(byCampaign.size).to.equal(HOLDERS_MAX);
    expect(byCampaign.has(asCampaignId('cmp_2'))).to.equal(false);
    expect(others).to.eql({ heldNanos: 6n, openCount: 6 });
  });

  it('counts minutes that should be closed by now', () => {
    const minutes = [minuteOf('cmp_a'), minuteOf('cmp_b', { expiresAtMs: NOON + 1 })];
    expect(holdingsOf(minutes, NOON + CLOSED_BY_MS).overdueCount).to.equal(0);
    expect(holdingsOf(minutes, NOON + CLOSED_BY_MS + 1).overdueCount).to.equal(1);
  });
});
