import { DAY_MS, MINUTE_MS, asAdvertiserId, asCampaignId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import {
  grant,
  judgeWant,
  leaseDay,
  type LeaseWant,
  type PaceAnchor,
  type WantPace,
  type WantState,
} from './lease.js';

const NOW_MS = 1_767_225_630_000;
const MINUTE = Math.floor(NOW_MS / MINUTE_MS);
const ANCHOR: PaceAnchor = { atMs: NOW_MS - 60_000, spentNanos: 5n, budgetNanos: 10_000n };
const PLAN: WantPace = {
  anchor: ANCHOR,
  anchorSinceMs: null,
  budgetNanos: 10_000n,
  planNanos: 1_000,
  mostNanos: null,
  show: 1,
  late: 1,
};

function wantWith(pace: Partial<WantPace> | null, overrides: Partial<LeaseWant> = {}): LeaseWant {
  return {
    advertiserId: asAdvertiserId('adv_a'),
    campaignId: asCampaignId('cmp_a'),
    minute: MINUTE,
    costNanos: 10n,
    grantedMaxNanos: 100_000n,
    totalLimitNanos: null,
    dailyLimitNanos: null,
    fundedNanos: 1_000_000n,
    expiresAtMs: NOW_MS + MINUTE_MS,
    pace: pace === null ? null : { ...PLAN, ...pace },
    ...overrides,
  };
}

/** Closed leases: 300 accepted. Open leases: 100 accepted, 200 in fresh open fills, 200 in older ones. */
function stateWith(overrides: Partial<WantState> = {}): WantState {
  return {
    total: { openNanos: 0n, closedNanos: 0n },
    day: { openNanos: 500n, closedNanos: 300n },
    balance: { openNanos: 0n, closedNanos: 0n },
    lease: null,
    pace: { acceptedNanos: 100n, freshNanos: 200n, minuteNanos: 50n },
    anchor: ANCHOR,
    replicas: 1,
    nowMs: NOW_MS,
    atMs: NOW_MS,
    ...overrides,
  };
}

const amountOf = (pace: Partial<WantPace>, state = stateWith()): bigint =>
  judgeWant(wantWith(pace), state).amountNanos;

describe('judging the want of a paced campaign', () => {
  it('grants what the plan leaves after the likely spend, including the first ad', () => {
    // Likely: 300 + 100 accepted, 200 fresh, 200 older.
    expect(amountOf({})).to.equal(200n);
    expect(amountOf({ planNanos: 810 })).to.equal(10n);
    expect(judgeWant(wantWith({ planNanos: 809 }), stateWith())).to.deep.equal({
      verdict: 'pace',
      amountNanos: 0n,
      isScarce: true,
      anchor: ANCHOR,
    });
  });

  it('counts open ads at the share that is likely to be shown', () => {
    // Likely: 400 + 0.5 × 200 + 0.25 × 200 = 550; the plan leaves 450, and half of the new fills are likely to be shown.
    expect(amountOf({ show: 0.5, late: 0.25 })).to.equal(10n + 880n);
    // A show rate close to zero widens the plan at most twentyfold.
    expect(amountOf({ show: 0.01, late: 0, planNanos: 412 })).to.equal(10n);
    expect(amountOf({ show: 0.01, late: 0, planNanos: 422 })).to.equal(10n + 200n);
  });

  it('grants no more for a minute than the brake allows, and nothing when no ad fits below it', () => {
    expect(amountOf({ mostNanos: 150 })).to.equal(100n);
    expect(amountOf({ mostNanos: 60 })).to.equal(10n);
    expect(judgeWant(wantWith({ mostNanos: 59 }), stateWith()).verdict).to.equal('pace');
    expect(amountOf({ mostNanos: 100_000 })).to.equal(200n);
  });

  it('grants the first ad of a day without a plan', () => {
    const first = stateWith({ day: { openNanos: 0n, closedNanos: 0n }, anchor: null });
    const judged = judgeWant(wantWith({ anchor: null, planNanos: 0 }), first);
    expect(judged).to.include({ verdict: 'granted', amountNanos: 10n, isScarce: true });
  });

  it('grants a later ad of a day only by the plan, also when as much is open as is closed', () => {
    const state = stateWith({ day: { openNanos: 300n, closedNanos: 300n } });
    expect(judgeWant(wantWith({ planNanos: 0 }), state).verdict).to.equal('pace');
  });

  it('is bounded by no plan when the campaign is not paced', () => {
    expect(judgeWant(wantWith(null), stateWith())).to.include({
      amountNanos: 100_000n,
      isScarce: false,
      anchor: null,
    });
    expect(judgeWant(wantWith({}), stateWith({ pace: null })).anchor).to.equal(null);
  });

  for (const [what, anchor] of [
    ['none', null],
    ['another instant', { ...ANCHOR, atMs: ANCHOR.atMs + 1 }],
    ['another spend', { ...ANCHOR, spentNanos: 6n }],
    ['another budget', { ...ANCHOR, budgetNanos: 10_001n }],
  ] as const) {
    it(`refuses a plan whose anchor has ${what}, and answers the current anchor`, () => {
      expect(judgeWant(wantWith({ anchor }), stateWith())).to.include({ verdict: 'anchor', amountNanos: 0n });
      expect(judgeWant(wantWith({ anchor }), stateWith()).anchor).to.deep.equal(ANCHOR);
    });
  }

  it('begins a new plan when there is no anchor, the budget changed or the anchor is too old', () => {
    const began = { atMs: NOW_MS, spentNanos: 800n, budgetNanos: 10_000n };
    const anchorOf = (pace: Partial<WantPace>, state = stateWith()) =>
      judgeWant(wantWith(pace), state).anchor;
    expect(anchorOf({}, stateWith({ anchor: null }))).to.deep.equal(began);
    expect(anchorOf({ budgetNanos: 9_000n })).to.deep.equal({ ...began, budgetNanos: 9_000n });
    expect(anchorOf({ anchorSinceMs: ANCHOR.atMs + 1 })).to.deep.equal(began);
    expect(anchorOf({ anchorSinceMs: ANCHOR.atMs })).to.deep.equal(ANCHOR);
    expect(anchorOf({ budgetNanos: 700n })?.spentNanos, 'at most the budget').to.equal(700n);
    const ahead = wantWith({}, { minute: MINUTE + 1 });
    expect(judgeWant(ahead, stateWith({ anchor: null })).anchor?.atMs).to.equal((MINUTE + 1) * MINUTE_MS);
  });

  it('adds a grant to every sum and figure', () => {
    const state = stateWith({
      total: { openNanos: 1n, closedNanos: 0n },
      balance: { openNanos: 2n, closedNanos: 0n },
    });
    grant(state, 20n);
    expect([state.total.openNanos, state.day.openNanos, state.balance.openNanos]).to.deep.equal([
      21n,
      520n,
      22n,
    ]);
    expect(state.pace).to.deep.equal({ acceptedNanos: 100n, freshNanos: 220n, minuteNanos: 70n });
  });
});

describe('judging any want', () => {
  const unpaced = (overrides: Partial<LeaseWant>): LeaseWant => wantWith(null, overrides);

  it('grants only what the lease does not have yet, and nothing when it has all', () => {
    const lease = {
      grantedNanos: 60n,
      isEnded: false,
      isClosed: false,
      advertiserId: asAdvertiserId('adv_a'),
    };
    const judged = judgeWant(unpaced({ grantedMaxNanos: 100n }), stateWith({ lease }));
    expect(judged).to.include({ verdict: 'granted', amountNanos: 40n, isScarce: false });
    const repeated = judgeWant(unpaced({ grantedMaxNanos: 60n }), stateWith({ lease }));
    expect(repeated).to.include({ verdict: 'granted', amountNanos: 0n, isScarce: false });
    const ofAnother = judgeWant(unpaced({ advertiserId: asAdvertiserId('adv_b') }), stateWith({ lease }));
    expect(ofAnother).to.include({ verdict: 'ended', isScarce: true });
  });

  it('grants one of several replicas half of an equal share, and always one ad', () => {
    const want = unpaced({ fundedNanos: 400n });
    expect(judgeWant(want, stateWith({ replicas: 1 })).amountNanos).to.equal(400n);
    expect(judgeWant(want, stateWith({ replicas: 2 })).amountNanos).to.equal(100n);
    expect(judgeWant(want, stateWith({ replicas: 100 })).amountNanos).to.equal(10n);
  });

  it('grants nothing for a minute that is more than two away, or whose ads would be over', () => {
    const verdictOf = (overrides: Partial<LeaseWant>) => judgeWant(unpaced(overrides), stateWith()).verdict;
    for (const apart of [-2, 2]) expect(verdictOf({ minute: MINUTE + apart })).to.equal('granted');
    for (const apart of [-3, 3]) expect(verdictOf({ minute: MINUTE + apart })).to.equal('ended');
    expect(verdictOf({ expiresAtMs: NOW_MS + 1 })).to.equal('granted');
    expect(verdictOf({ expiresAtMs: NOW_MS })).to.equal('ended');
  });
});

describe('the day of a lease', () => {
  it('is the UTC day of its minute', () => {
    const minutes = DAY_MS / MINUTE_MS;
    expect([leaseDay({ minute: 20 * minutes }), leaseDay({ minute: 21 * minutes - 1 })]).to.deep.equal([
      20, 20,
    ]);
  });
});
