import { DAY_MS, HOUR_MS } from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import type { EventRow } from './event-row.js';
import { planSettlement, toEntries } from './settlement.js';

function row(overrides: Partial<EventRow> = {}): EventRow {
  return {
    day: 20_000,
    requestId: 'req_1',
    type: 'impression',
    verdict: 'accepted',
    rule: null,
    isTest: false,
    arrivedAtMs: 20_000 * DAY_MS + HOUR_MS,
    fillMinute: 28_800_000,
    sessionId: 'ses_1',
    publisherId: 'pub_1',
    appId: 'app_1',
    placement: 'home',
    format: 'banner',
    country: null,
    advertiserId: 'adv_1',
    campaignId: 'cmp_1',
    creativeId: 'cr_1',
    costNanos: 2_500_000n,
    publisherNanos: 1_750_000n,
    completion: null,
    fallbackReason: null,
    leaseRun: '',
    traceparent: null,
    ...overrides,
  };
}

describe('planning a settlement', () => {
  it('three entries per impression, which sum to zero whatever cost and share', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 16n }),
        fc.integer({ min: 0, max: 10_000 }),
        (costNanos, shareBp) => {
          const publisherNanos = (costNanos * BigInt(shareBp)) / 10_000n;
          const entries = toEntries(row({ costNanos, publisherNanos }));
          expect(entries).to.have.length(3);
          expect(entries.reduce((sum, entry) => sum + entry.amountNanos, 0n)).to.equal(0n);
        },
      ),
    );
  });

  it('sums what shares a row, so that no row is written twice', () => {
    const plan = planSettlement([
      row(),
      row({ requestId: 'req_2' }),
      row({ requestId: 'req_3', costNanos: 1n, publisherNanos: 0n, campaignId: 'cmp_2' }),
      row({ type: 'click', costNanos: 0n, publisherNanos: 0n }),
      row({ requestId: 'req_4', arrivedAtMs: 20_001 * DAY_MS }),
    ]);
    expect(plan.entries).to.have.length(12);
    expect(plan.accountDays).to.deep.include({
      accountKind: 'advertiser',
      accountId: 'adv_1',
      day: 20_000,
      sumNanos: -5_000_001n,
      entries: 3,
    });
    expect(plan.accountDays).to.have.length(6);
    expect(plan.eventHours).to.have.length(3);
    expect(plan.eventHours[0]).to.include({
      impressions: 2,
      clicks: 1,
      spendNanos: 5_000_000n,
      revenueNanos: 3_500_000n,
    });
    expect(plan.campaignDays).to.deep.equal([
      { advertiserId: 'adv_1', campaignId: 'cmp_1', day: 20_000, impressions: 3, spendNanos: 7_500_000n },
      { advertiserId: 'adv_1', campaignId: 'cmp_2', day: 20_000, impressions: 1, spendNanos: 1n },
    ]);
  });

  it('the day of the budget is that of the fill, the day of the books that of the event', () => {
    const plan = planSettlement([row({ day: 19_999 })]);
    expect(plan.campaignDays[0]?.day).to.equal(19_999);
    expect(plan.entries.map((entry) => entry.day)).to.deep.equal([20_000, 20_000, 20_000]);
  });

  it('a reward counts when it was completed, a fallback by its reason', () => {
    const free = { costNanos: 0n, publisherNanos: 0n } as const;
    const fallback = { ...free, type: 'fallback', campaignId: null } as const;
    const plan = planSettlement([
      row({ ...free, type: 'reward', completion: true }),
      row({ ...free, type: 'reward', requestId: 'req_2', completion: false }),
      row({ ...fallback, fallbackReason: 'timeout' }),
      row({ ...fallback, requestId: 'req_3', fallbackReason: 'timeout' }),
      row({ ...fallback, requestId: 'req_4', fallbackReason: 'error' }),
    ]);
    expect(plan.eventHours.map((count) => count.rewards)).to.deep.equal([1]);
    expect(plan.fallbackHours.map((count) => [count.reason, count.fallbacks])).to.deep.equal([
      ['timeout', 2],
      ['error', 1],
    ]);
    expect(plan.entries).to.deep.equal([]);
  });
});
