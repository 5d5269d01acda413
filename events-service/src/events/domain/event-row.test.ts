import { DAY_MS, MINUTE_MS, asRequestId, type ImpressionClaims } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { toEventRow } from './event-row.js';
import type { AdEventType, ReadableEvent } from './event.js';

const CLAIMS = {
  requestId: 'req_1',
  format: 'rewarded',
  filledAtMs: DAY_MS + 2 * MINUTE_MS,
  costNanos: 100n,
  publisherNanos: 70n,
  leaseRun: 'run_1',
  isTest: false,
} as ImpressionClaims;

const event = (type: AdEventType, claims: Partial<ImpressionClaims> = {}): ReadableEvent => ({
  type,
  requestId: asRequestId('req_1'),
  claims: { ...CLAIMS, ...claims },
  completion: null,
  arrivedAtMs: 7,
});

describe('the row of a judged event', () => {
  it('has the day and minute of the fill, and the price and lease of an impression', () => {
    expect(toEventRow(event('impression'), { passes: true, rule: '' }, 'trace')).to.include({
      day: 1,
      fillMinute: DAY_MS / MINUTE_MS + 2,
      arrivedAtMs: 7,
      verdict: 'accepted',
      rule: null,
      costNanos: 100n,
      publisherNanos: 70n,
      leaseRun: 'run_1',
      traceparent: 'trace',
    });
  });

  for (const type of ['click', 'reward'] as const) {
    it(`costs nothing and names no lease for a ${type}`, () => {
      const row = toEventRow(event(type), { passes: true, rule: '' }, null);
      expect(row).to.include({ type, costNanos: 0n, publisherNanos: 0n, leaseRun: '' });
    });
  }

  it('costs nothing for a test impression, whatever the price in the token', () => {
    const row = toEventRow(event('impression', { isTest: true }), { passes: true, rule: '' }, null);
    expect(row).to.include({ isTest: true, costNanos: 0n, publisherNanos: 0n });
  });

  it('names the fraud rule of a suspicious event', () => {
    const row = toEventRow(event('click'), { passes: false, rule: 'click_delay' }, null);
    expect(row).to.include({ verdict: 'suspicious', rule: 'click_delay' });
  });
});
