import { expect } from 'chai';
import {
  DAY_MS,
  MINUTE_MS,
  minuteOf,
  type Nanos,
  type PaceAnchor,
  type PaceKnowledge,
  paceLimits,
  type PaceLimits,
  toShowRates,
} from '@placard/service-kit/pure';
import { NOTHING_KNOWN } from '@placard/service-kit/testing';
import { AD_TTL_MS, aCampaign, aCatalog, anAdvertiser, NOON } from '../../../test/support/world.js';
import { toIndexed, type IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { toLeaseWant, type WantPace } from './lease-want.js';

const COST = 2_500_000n;
const DAILY = 1_000n * COST;
const MINUTE = minuteOf(NOON);
const NOON_SECOND = 43_200;

function entryOf(changes: Parameters<typeof aCampaign>[0] = {}): IndexedCampaign {
  const campaign = aCampaign({ costNanos: COST, budgetDailyNanos: DAILY, ...changes });
  const catalog = aCatalog({ advertisers: [anAdvertiser({ fundedNanos: 77n })], campaigns: [campaign] });
  return toIndexed(catalog, campaign.id) as IndexedCampaign;
}

function wantAt(nowMs: number, knowledge: Partial<PaceKnowledge> = {}, entry = entryOf()) {
  return toLeaseWant(
    entry,
    { minute: MINUTE, grantedMaxNanos: 9n },
    { nowMs, adTtlMs: AD_TTL_MS, knowledge: { ...NOTHING_KNOWN, ...knowledge } },
  );
}

const paceAt = (nowMs: number, knowledge: Partial<PaceKnowledge> = {}): WantPace =>
  wantAt(nowMs, knowledge).pace as WantPace;

/** The limits of the plan at a second of the day, made from an anchor. */
function limitsAt(second: number, anchor: { second: number; spentNanos: number }): PaceLimits {
  const { closed, forecast } = NOTHING_KNOWN;
  const rates = toShowRates(closed, Number(COST));
  const day = { budgetNanos: Number(DAILY), costNanos: Number(COST), anchor, rates, forecast };
  return paceLimits(day, second);
}

describe('what a process asks of a budget', () => {
  it('names the campaign, its minute, its price and its limits, and until when its last ad may be open', () => {
    const entry = entryOf({ budgetTotalNanos: 10n ** 12n, pacing: 'asap' });
    expect(wantAt(NOON, {}, entry)).to.deep.equal({
      campaignId: 'cmp_spring',
      advertiserId: 'adv_north',
      minute: MINUTE,
      grantedMaxNanos: 9n,
      costNanos: COST,
      totalLimitNanos: 10n ** 12n,
      dailyLimitNanos: DAILY,
      fundedNanos: 77n,
      expiresAtMs: NOON + MINUTE_MS + AD_TTL_MS,
      pace: null,
    });
  });

  it('has no limits and no pace where the campaign has none', () => {
    const { totalLimitNanos, dailyLimitNanos, pace } = wantAt(NOON, {}, entryOf({ budgetDailyNanos: null }));
    expect({ totalLimitNanos, dailyLimitNanos, pace }).to.deep.equal({
      totalLimitNanos: null,
      dailyLimitNanos: null,
      pace: null,
    });
  });

  it('has no pace for a daily budget of less than 100 impressions', () => {
    const wanted = (budgetDailyNanos: Nanos) => wantAt(NOON, {}, entryOf({ budgetDailyNanos })).pace;
    expect(wanted(100n * COST - 1n)).to.equal(null);
    expect(wanted(100n * COST)).not.to.equal(null);
  });

  it('has a plan that starts now where no anchor is known', () => {
    expect(paceAt(NOON)).to.deep.equal({
      budgetNanos: DAILY,
      anchor: null,
      anchorSinceMs: null,
      limits: limitsAt(NOON_SECOND, { second: NOON_SECOND, spentNanos: 0 }),
    });
  });

  it('looks at the plan within the minute of the fills, also before and after it', () => {
    const anchor: PaceAnchor = { atMs: NOON - 3_600_000, spentNanos: 5n * COST, budgetNanos: DAILY };
    const start = { second: NOON_SECOND - 3_600, spentNanos: Number(5n * COST) };
    const limitsOf = (nowMs: number) => paceAt(nowMs, { anchor }).limits;
    const first = limitsAt(NOON_SECOND, start);
    const last = limitsAt(NOON_SECOND + 59.999, start);
    expect(first, 'the slack is open in the first half of the minute').not.to.deep.equal(last);
    for (const nowMs of [NOON - 3 * MINUTE_MS, NOON - 1, NOON]) expect(limitsOf(nowMs)).to.deep.equal(first);
    for (const nowMs of [NOON + MINUTE_MS - 1, NOON + MINUTE_MS, NOON + 3 * MINUTE_MS])
      expect(limitsOf(nowMs)).to.deep.equal(last);
  });

  describe('keeps the anchor that it knows', () => {
    const anchor: PaceAnchor = { atMs: NOON - 60_000, spentNanos: 5n * COST, budgetNanos: DAILY };
    const anchorOf = (knowledge: Partial<PaceKnowledge>) => paceAt(NOON, knowledge).anchor;

    it('and makes the plan from it', () => {
      const { limits, anchor: kept } = paceAt(NOON, { anchor });
      expect(kept).to.equal(anchor);
      expect(limits).to.deep.equal(
        limitsAt(NOON_SECOND, { second: NOON_SECOND - 60, spentNanos: Number(5n * COST) }),
      );
    });

    it('unless the budget is another one', () => {
      expect(anchorOf({ anchor: { ...anchor, budgetNanos: DAILY + 1n } })).to.equal(null);
    });

    it('unless it is of another day', () => {
      expect(anchorOf({ anchor: { ...anchor, atMs: NOON - DAY_MS } })).to.equal(null);
      expect(anchorOf({ anchor: { ...anchor, atMs: NOON - DAY_MS / 2 } }), 'midnight').not.to.equal(null);
      expect(anchorOf({ anchor: { ...anchor, atMs: NOON - DAY_MS / 2 - 1 } })).to.equal(null);
    });

    it('unless the campaign was resumed after it', () => {
      expect(anchorOf({ anchor, resumedAtMs: anchor.atMs })).to.equal(anchor);
      expect(anchorOf({ anchor, resumedAtMs: anchor.atMs + 1 })).to.equal(null);
    });
  });

  it('says since when an anchor holds: since the campaign was resumed', () => {
    expect(paceAt(NOON, { resumedAtMs: NOON - 5 }).anchorSinceMs).to.equal(NOON - 5);
  });

  it('weighs fills by what was seen of them', () => {
    const closed = { shownNanos: Number(500n * COST), unshownNanos: 0, lateNanos: Number(100n * COST) };
    const { show, late } = paceAt(NOON, { closed }).limits;
    expect({ show, late }).to.deep.equal(toShowRates(closed, Number(COST)));
  });
});
