import { MINUTE_MS, asAdvertiserId, asCampaignId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  grant,
  judgeWant,
  openPart,
  withReport,
  type Lease,
  type LeaseWant,
  type WantState,
} from './lease.js';

const NOW_MS = 1_767_225_630_000;
const MINUTE = NOW_MS / MINUTE_MS - 0.5;

const want = (overrides: Partial<LeaseWant> = {}): LeaseWant => ({
  advertiserId: asAdvertiserId('adv_a'),
  campaignId: asCampaignId('cmp_a'),
  minute: MINUTE,
  costNanos: 10n,
  grantedMaxNanos: 100n,
  totalLimitNanos: null,
  dailyLimitNanos: null,
  fundedNanos: 1_000_000n,
  expiresAtMs: NOW_MS + MINUTE_MS,
  pace: null,
  ...overrides,
});
const sum = (openNanos = 0n, closedNanos = 0n) => ({ openNanos, closedNanos });
const state = (overrides: Partial<WantState> = {}): WantState => ({
  total: sum(),
  day: sum(),
  balance: sum(),
  lease: null,
  pace: null,
  anchor: null,
  replicas: 1,
  nowMs: NOW_MS,
  atMs: NOW_MS,
  ...overrides,
});
const lease = (overrides: Partial<Lease> = {}): Lease => ({
  campaignId: asCampaignId('cmp_a'),
  minute: MINUTE,
  run: 'run',
  advertiserId: asAdvertiserId('adv_a'),
  grantedNanos: 100n,
  returnedNanos: 0n,
  filledNanos: 0n,
  acceptedNanos: 0n,
  suspiciousNanos: 0n,
  lateNanos: 0n,
  releasedNanos: 0n,
  isEnded: false,
  isClosed: false,
  ...overrides,
});

describe('judging a want', () => {
  it('grants what is asked for when every limit has room', () => {
    expect(judgeWant(want(), state())).to.deep.equal({
      verdict: 'granted',
      amountNanos: 100n,
      isScarce: false,
      anchor: null,
    });
  });

  it('counts closed and open money against each limit', () => {
    const used = sum(60n, 35n);
    expect(judgeWant(want({ totalLimitNanos: 104n }), state({ total: used })).verdict).to.equal('total');
    expect(judgeWant(want({ dailyLimitNanos: 104n }), state({ day: used })).verdict).to.equal('day');
    expect(judgeWant(want({ fundedNanos: 104n }), state({ balance: used })).verdict).to.equal('balance');
    expect(judgeWant(want({ totalLimitNanos: 105n }), state({ total: used })).amountNanos).to.equal(10n);
  });

  it('grants nothing when a limit is far below the spend', () => {
    expect(judgeWant(want({ totalLimitNanos: 0n }), state({ total: sum(500n, 500n) }))).to.include({
      verdict: 'total',
      amountNanos: 0n,
    });
  });

  it('grants nothing to a lease that was ended or closed, or whose ads would be over', () => {
    const ended = { grantedNanos: 0n, isEnded: true, isClosed: false, advertiserId: asAdvertiserId('adv_a') };
    expect(judgeWant(want(), state({ lease: ended })).verdict).to.equal('ended');
    expect(
      judgeWant(want(), state({ lease: { ...ended, isEnded: false, isClosed: true } })).verdict,
    ).to.equal('ended');
    expect(judgeWant(want({ expiresAtMs: NOW_MS }), state()).verdict).to.equal('ended');
  });

  it('grants nothing again to a want whose sum is granted already, or is below it', () => {
    const held = {
      grantedNanos: 100n,
      isEnded: false,
      isClosed: false,
      advertiserId: asAdvertiserId('adv_a'),
    };
    for (const grantedMaxNanos of [100n, 109n, 50n]) {
      expect(judgeWant(want({ grantedMaxNanos }), state({ lease: held }))).to.deep.equal({
        verdict: 'granted',
        amountNanos: 0n,
        isScarce: false,
        anchor: null,
      });
    }
    expect(judgeWant(want({ grantedMaxNanos: 110n }), state({ lease: held })).amountNanos).to.equal(10n);
  });

  it('grants whole ads in any sequence of wants, never exceeds a limit, and grants the last ad that fits', () => {
    const amounts = fc.bigInt({ min: 1n, max: 40n });
    const wants = fc.array(fc.record({ asked: amounts, replicas: fc.integer({ min: 1, max: 5 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 0n, max: 400n }), wants, (costNanos, limit, asks) => {
        const sums = { total: sum(), day: sum(), balance: sum() };
        let granted = 0n;
        let last: { verdict: string; asked: bigint } | null = null;
        for (const { asked, replicas } of asks) {
          const at = state({ ...sums, replicas });
          const each = want({ costNanos, totalLimitNanos: limit, grantedMaxNanos: asked * costNanos });
          const judged = judgeWant(each, at);
          grant(at, judged.amountNanos);
          granted += judged.amountNanos;
          expect(judged.amountNanos % costNanos).to.equal(0n);
          if (judged.verdict === 'granted') expect(judged.amountNanos >= costNanos).to.equal(true);
          last = { verdict: judged.verdict, asked };
        }
        expect(granted <= limit).to.equal(true);
        if (last?.verdict === 'total') expect(limit - granted < costNanos).to.equal(true);
      }),
    );
  });
});

describe('a report of a lease', () => {
  const report = {
    campaignId: asCampaignId('cmp_a'),
    minute: MINUTE,
    filledNanos: 20n,
    returnedNanos: 30n,
    isEnded: false,
  };

  it('takes returned money out of the open part, at most what no impression has used', () => {
    expect(openPart(withReport(lease(), report))).to.equal(70n);
    expect(openPart(withReport(lease({ acceptedNanos: 60n, suspiciousNanos: 20n }), report))).to.equal(80n);
  });

  it('leaves no money open that was returned or released', () => {
    expect(openPart(lease({ returnedNanos: 20n, releasedNanos: 30n }))).to.equal(50n);
  });

  it('ends a lease only when it says so', () => {
    expect([false, true].map((isEnded) => withReport(lease(), { ...report, isEnded }).isEnded)).to.deep.equal(
      [false, true],
    );
  });

  it('never lowers the returned money, and never reopens an ended lease', () => {
    const before = lease({ returnedNanos: 50n, isEnded: true });
    expect(withReport(before, report)).to.include({ returnedNanos: 50n, isEnded: true, filledNanos: 20n });
  });

  it('changes nothing in a closed lease', () => {
    const closed = lease({ isClosed: true });
    expect(withReport(closed, report)).to.equal(closed);
  });
});
