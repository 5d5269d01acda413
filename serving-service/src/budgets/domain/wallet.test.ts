import { expect } from 'chai';
import {
  asCampaignId,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  minuteOf,
  SECOND_MS,
  type Nanos,
} from '@placard/service-kit/pure';
import { aCampaign, aCatalog, anAdvertiser, NOON } from '../../../test/support/world.js';
import { toIndexed, type IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import type { Lease } from './lease.js';
import { FIRST_ADS, Wallet } from './wallet.js';

const ID = asCampaignId('cmp_spring');
const COST = 2_500_000n;
const MINUTE = minuteOf(NOON);
const SLICE = BigInt(FIRST_ADS) * COST;

function entryOf(changes: Parameters<typeof aCampaign>[0] = {}, fundedNanos = 10n ** 12n): IndexedCampaign {
  const campaign = aCampaign(changes);
  const catalog = aCatalog({ advertisers: [anAdvertiser({ fundedNanos })], campaigns: [campaign] });
  return toIndexed(catalog, campaign.id) as IndexedCampaign;
}

describe('the wallet', () => {
  const entry = entryOf();
  let wallet: Wallet;
  beforeEach(() => {
    wallet = new Wallet();
  });

  /** Makes a want as an exchange does. The answer grants this much more. */
  function granted(nanos: Nanos, given: { minute?: number; nowMs?: number; isScarce?: boolean } = {}): Lease {
    const { minute = MINUTE, nowMs = NOON, isScarce = false } = given;
    const { lease } = wallet.want({ entry, minute }, 0, nowMs);
    wallet.noteAnswer(
      { lease, entry },
      { verdict: 'granted', grantedNanos: lease.grantedNanos + nanos, isScarce },
      nowMs,
    );
    return lease;
  }

  const take = (nowMs = NOON, minute = MINUTE): Lease | null => wallet.take(ID, minute, COST, nowMs);

  /** The reports, which are then acknowledged. */
  function reported(): object[] {
    const reports = wallet.reports(100, true);
    for (const report of reports) wallet.acknowledge(report);
    return reports.map(({ report }) => ({
      ...report,
      campaignId: undefined,
      minute: report.minute - MINUTE,
    }));
  }

  const aReport = (filled: bigint, returned: bigint, isEnded = false, minute = 0) => ({
    campaignId: undefined,
    minute,
    filledNanos: filled * COST,
    returnedNanos: returned * COST,
    isEnded,
  });

  it('pays exactly the granted money, and pays money that comes back again', () => {
    granted(3n * COST);
    const leases = [take(), take(), take()];
    expect(take()).to.equal(null);
    wallet.giveBack(leases[0]!, entry, NOON);
    expect(take()).not.to.equal(null);
    expect(take()).to.equal(null);
    expect(wallet.leftNanos).to.equal(0n);
  });

  it('pays for a fill from the lease of its own minute only', () => {
    granted(COST);
    expect(take(NOON, MINUTE - 1)).to.equal(null);
    expect(take(NOON, MINUTE + 1)).to.equal(null);
    expect(take()).not.to.equal(null);
  });

  it('treats every answer as the sum of all grants, even a repeated or late one', () => {
    const lease = granted(3n * COST);
    for (const sum of [3n, 1n, 0n]) {
      wallet.noteAnswer(
        { lease, entry },
        { verdict: 'granted', grantedNanos: sum * COST, isScarce: false },
        NOON,
      );
    }
    expect(wallet.leftNanos).to.equal(3n * COST);
  });

  describe('asks for', () => {
    const wanted = (waiting: number, nowMs: number, minute = minuteOf(nowMs)): Nanos => {
      const { lease, grantedMaxNanos } = wallet.want({ entry, minute }, waiting, nowMs);
      return (grantedMaxNanos - lease.grantedNanos) / COST;
    };

    it('a few ads at first, and one for each waiting request', () => {
      expect(wanted(0, NOON)).to.equal(BigInt(FIRST_ADS));
      expect(wanted(40, NOON)).to.equal(40n);
    });

    it('later, about the spend of ten seconds, and at least one ad', () => {
      for (let second = 0; second < 58; second += 1) {
        granted(20n * COST, { nowMs: NOON + second * SECOND_MS });
        for (let ad = 0; ad < 20; ad += 1) take(NOON + second * SECOND_MS);
      }
      expect(Number(wanted(0, NOON + 58 * SECOND_MS))).to.be.within(180, 220);
      expect(wanted(0, NOON + DAY_MS)).to.equal(1n);
    });

    it('no money for fills that were not made', () => {
      granted(100n * COST);
      for (let ad = 0; ad < 50; ad += 1) wallet.giveBack(take()!, entry, NOON);
      expect(wanted(0, NOON + 10 * SECOND_MS, MINUTE + 1)).to.equal(1n);
    });

    it('more money when half of a slice is used, and not again after a refusal', () => {
      const lease = granted(4n * COST);
      take();
      expect(wallet.refills(NOON)).to.eql([]);
      take();
      expect(wallet.refills(NOON)).to.eql([{ entry, minute: MINUTE }]);
      wallet.noteAnswer(
        { lease, entry },
        { verdict: 'granted', grantedNanos: lease.grantedNanos, isScarce: true },
        NOON,
      );
      expect(wallet.refills(NOON)).to.eql([]);
    });

    it('the next minute’s slice from second 58 on, once, for campaigns with recent fills', () => {
      const late = NOON + 58 * SECOND_MS;
      granted(10n * COST);
      take();
      expect(wallet.refills(late), 'no recent fills').to.eql([]);
      take(late - 1);
      expect(wallet.refills(late - 1)).to.eql([]);
      expect(wallet.refills(late)).to.eql([{ entry, minute: MINUTE + 1 }]);
      wallet.follow(ID, entryOf({ status: 'paused' }));
      expect(wallet.refills(late), 'paused').to.eql([]);
      wallet.follow(ID, entry);
      granted(COST, { minute: MINUTE + 1, nowMs: late });
      expect(wallet.refills(late)).to.eql([]);
    });

    it('the sum of an unanswered want again', () => {
      const { lease, grantedMaxNanos } = wallet.want({ entry, minute: MINUTE }, 30, NOON);
      lease.noteUnanswered(grantedMaxNanos);
      expect(wallet.refills(NOON + 1)).to.eql([{ entry, minute: MINUTE }]);
      expect(wanted(0, NOON + 1, MINUTE)).to.equal(30n);
    });
  });

  describe('returns', () => {
    it('the remaining money of a minute two seconds after it, and ends the lease', () => {
      granted(3n * COST);
      take();
      const overAtMs = NOON + MINUTE_MS + 2 * SECOND_MS;
      wallet.tidy(overAtMs - 1);
      expect(take(overAtMs - 1), 'a request in flight').not.to.equal(null);
      wallet.tidy(overAtMs);
      expect(take(overAtMs)).to.equal(null);
      expect(reported()).to.eql([aReport(2n, 1n, true)]);
      expect(reported()).to.eql([]);
    });

    it('money that a request gives back after the end, and removes the lease later', () => {
      granted(3n * COST);
      const lease = take()!;
      const overAtMs = NOON + MINUTE_MS + 2 * SECOND_MS;
      wallet.tidy(overAtMs);
      reported();
      wallet.giveBack(lease, entry, NOON);
      expect(reported()).to.eql([aReport(0n, 3n, true)]);
      wallet.tidy(overAtMs + MINUTE_MS);
      wallet.tidy(overAtMs + 2 * MINUTE_MS);
      expect(wallet.want({ entry, minute: MINUTE }, 0, NOON).lease).not.to.equal(lease);
    });

    it('money that is granted after the end', () => {
      const { lease } = wallet.want({ entry, minute: MINUTE }, 0, NOON);
      wallet.tidy(NOON + MINUTE_MS + 2 * SECOND_MS);
      wallet.noteAnswer(
        { lease, entry },
        { verdict: 'granted', grantedNanos: SLICE, isScarce: false },
        NOON + 2 * MINUTE_MS,
      );
      expect(reported()).to.eql([aReport(0n, BigInt(FIRST_ADS), true)]);
      expect(take()).to.equal(null);
    });

    it('for a while, nothing of a minute whose last want has no answer', () => {
      const lease = granted(COST);
      lease.noteUnanswered(SLICE);
      wallet.tidy(NOON + MINUTE_MS + 2 * SECOND_MS);
      expect(lease.isEnded).to.equal(false);
      wallet.tidy(NOON + HOUR_MS + MINUTE_MS);
      expect(lease.isEnded).to.equal(true);
    });

    it('scarce money that was unused for a second, and no other money', () => {
      granted(3n * COST, { isScarce: true });
      take(NOON + 500);
      wallet.tidy(NOON + 1_499);
      expect(wallet.leftNanos).to.equal(2n * COST);
      wallet.tidy(NOON + 1_500);
      expect(wallet.leftNanos).to.equal(0n);
      expect(reported()).to.eql([aReport(1n, 2n)]);
      granted(3n * COST);
      wallet.tidy(NOON + 30 * SECOND_MS);
      expect(wallet.leftNanos).to.equal(3n * COST);
    });

    it('leases of far minutes after the clock was set back', () => {
      granted(COST);
      wallet.tidy(NOON - DAY_MS);
      expect(reported()).to.eql([aReport(0n, 1n, true)]);
    });

    it('the grant of a lost answer for a far minute after the clock was set back', () => {
      const { lease, grantedMaxNanos } = wallet.want({ entry, minute: MINUTE }, 0, NOON);
      lease.noteUnanswered(grantedMaxNanos);
      const earlier = NOON - 3 * MINUTE_MS;
      wallet.tidy(earlier);
      expect(wallet.unanswered()).to.eql([{ entry, minute: MINUTE }]);
      const answer = { verdict: 'ended', grantedNanos: grantedMaxNanos, isScarce: true } as const;
      wallet.noteAnswer({ lease, entry }, answer, earlier);
      wallet.tidy(earlier);
      expect(reported()).to.eql([aReport(0n, BigInt(FIRST_ADS), true)]);
    });

    const others: readonly (readonly [string, IndexedCampaign | null])[] = [
      ['total budget', entryOf({ budgetTotalNanos: 10n ** 12n })],
      ['daily budget', entryOf({ budgetDailyNanos: 10n ** 12n })],
      ['price', entryOf({ costNanos: COST + 1n })],
      ['pacing', entryOf({ pacing: 'asap' })],
      ['advertiser’s funds', entryOf({}, 10n ** 12n + 1n)],
      ['state', entryOf({ status: 'paused' })],
      ['being', null],
    ];
    for (const [what, changed] of others) {
      it(`all money at once when a campaign’s ${what} changes, and grants that arrive later`, () => {
        const lease = granted(2n * COST);
        wallet.follow(ID, changed);
        expect(take()).to.equal(null);
        expect(reported()).to.eql([aReport(0n, 2n)]);
        const answer = { verdict: 'granted', grantedNanos: 5n * COST, isScarce: false } as const;
        expect(wallet.noteAnswer({ lease, entry }, answer, NOON)).to.equal(false);
        expect(reported()).to.eql([aReport(0n, 5n)]);
      });
    }

    it('money that a request gives back after a change', () => {
      granted(2n * COST);
      const lease = take();
      wallet.follow(ID, entryOf({ budgetTotalNanos: COST }));
      wallet.giveBack(lease!, entry, NOON);
      expect(take()).to.equal(null);
      expect(reported()).to.eql([aReport(0n, 2n)]);
    });

    it('the grant of a want that was unanswered before a change', () => {
      const { lease, grantedMaxNanos } = wallet.want({ entry, minute: MINUTE }, 0, NOON);
      lease.noteUnanswered(grantedMaxNanos);
      const now = entryOf({ budgetTotalNanos: 10n * COST });
      wallet.follow(ID, now);
      wallet.want({ entry: now, minute: MINUTE }, 0, NOON);
      wallet.noteAnswer(
        { lease, entry: now },
        { verdict: 'granted', grantedNanos: grantedMaxNanos, isScarce: true },
        NOON,
      );
      expect(take()).to.equal(null);
      expect(reported()).to.deep.equal([aReport(0n, BigInt(FIRST_ADS))]);
      wallet.noteAnswer(
        { lease, entry: now },
        { verdict: 'granted', grantedNanos: grantedMaxNanos + COST, isScarce: true },
        NOON,
      );
      expect(take()).to.equal(lease);
    });

    it('nothing when a creative changes', () => {
      granted(2n * COST);
      wallet.follow(ID, { ...entry, creatives: [] });
      expect(wallet.leftNanos).to.equal(2n * COST);
    });
  });

  it('reports a lease again that has changed since its report was sent', () => {
    granted(3n * COST);
    take();
    const [sent] = wallet.reports(100, true);
    take();
    wallet.acknowledge(sent!);
    expect(reported()).to.eql([aReport(2n, 0n)]);
    expect(wallet.hasReports).to.equal(false);
  });

  it('keeps reports of fills alone for the next full report, up to its size', () => {
    granted(3n * COST);
    take();
    expect(wallet.hasReports).to.equal(true);
    expect(wallet.hasReturns).to.equal(false);
    expect(wallet.reports(100, false)).to.eql([]);
    granted(COST, { minute: MINUTE + 1 });
    take(NOON, MINUTE + 1);
    expect(wallet.reports(1, true)).to.have.length(1);
  });
});
