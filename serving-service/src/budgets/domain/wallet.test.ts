import { expect } from 'chai';
import { DAY_MS, minuteOf, SECOND_MS, type Nanos } from '@placard/service-kit/pure';
import {
  aReport,
  COST,
  entryOf,
  ID,
  MINUTE,
  openWallet,
  type WalletBed,
} from '../../../test/support/wallet-bed.js';
import { NOON } from '../../../test/support/world.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { FIRST_ADS, type Wallet } from './wallet.js';

describe('the wallet', () => {
  let wallet: Wallet;
  let entry: IndexedCampaign;
  let granted: WalletBed['granted'];
  let take: WalletBed['take'];
  let reported: WalletBed['reported'];
  beforeEach(() => {
    ({ wallet, entry, granted, take, reported } = openWallet());
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

  it('says whether one more fill of a minute could be paid, to the last nano-unit', () => {
    expect(wallet.holds(ID, MINUTE, COST), 'an unknown campaign').to.equal(false);
    granted(COST);
    expect(wallet.holds(ID, MINUTE, COST)).to.equal(true);
    expect(wallet.holds(ID, MINUTE, COST + 1n)).to.equal(false);
    expect(wallet.holds(ID, MINUTE + 1, COST)).to.equal(false);
  });

  it('sums up what is left of all minutes', () => {
    granted(2n * COST);
    granted(3n * COST, { minute: MINUTE + 1 });
    take();
    expect(wallet.leftNanos).to.equal(4n * COST);
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

    it('only the missing ads, and at least one', () => {
      granted(2n * COST);
      expect(wanted(0, NOON)).to.equal(BigInt(FIRST_ADS) - 2n);
      granted(2n * COST);
      expect(wanted(0, NOON)).to.equal(1n);
      granted(2n * COST);
      expect(wanted(0, NOON)).to.equal(1n);
    });

    it('a few ads in the first ten seconds, in either direction of the clock', () => {
      wanted(0, NOON);
      expect([9_999, 10_000, -9_999, -10_000].map((ms) => wanted(0, NOON + ms, MINUTE))).to.eql([
        BigInt(FIRST_ADS),
        1n,
        BigInt(FIRST_ADS),
        1n,
      ]);
    });

    for (const [ms, ads] of [
      [118_999, 1n],
      [119_000, BigInt(FIRST_ADS)],
    ] as const) {
      it(`${ads} ads ${ms - 59_000} ms after the last fill, when all leases are forgotten`, () => {
        granted(COST);
        take(NOON + 59_000);
        wallet.tidy(NOON + ms);
        reported();
        wallet.tidy(NOON + ms);
        expect(wanted(0, NOON + ms)).to.equal(ads);
      });
    }

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

    it('the next minute’s slice for a campaign that was filled within ten seconds', () => {
      const late = NOON + 59 * SECOND_MS;
      granted(10n * COST);
      take(late - 10_000);
      expect(wallet.refills(late)).to.eql([]);
      take(late - 9_999);
      expect(wallet.refills(late)).to.eql([{ entry, minute: MINUTE + 1 }]);
    });

    it('nothing for a campaign that is gone, nor for a lease that has ended', () => {
      const { lease, grantedMaxNanos } = wallet.want({ entry, minute: MINUTE }, 0, NOON);
      lease.noteUnanswered(grantedMaxNanos);
      expect(wallet.unanswered()).to.eql([{ entry, minute: MINUTE }]);
      wallet.follow(ID, null);
      expect(wallet.unanswered()).to.eql([]);
      expect(wallet.refills(NOON)).to.eql([]);
      wallet.follow(ID, entry);
      lease.end();
      expect(wallet.unanswered()).to.eql([]);
    });

    it('the sum of an unanswered want again', () => {
      const { lease, grantedMaxNanos } = wallet.want({ entry, minute: MINUTE }, 30, NOON);
      lease.noteUnanswered(grantedMaxNanos);
      expect(wallet.refills(NOON + 1)).to.eql([{ entry, minute: MINUTE }]);
      expect(wanted(0, NOON + 1, MINUTE)).to.equal(30n);
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

  it('sends returns and ends before mere fills, and each until it is acknowledged as it is now', () => {
    granted(3n * COST);
    take();
    granted(2n * COST, { minute: MINUTE + 1 });
    wallet.follow(ID, { ...entry, isServable: false });
    const [first, second, ...more] = wallet.reports(2, false);
    expect(more).to.eql([]);
    expect([first, second].map((sent) => sent!.report.minute - MINUTE)).to.eql([0, 1]);
    first!.lease.end();
    wallet.acknowledge(first!);
    wallet.acknowledge(second!);
    expect(reported()).to.eql([aReport(1n, 2n, true)]);
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
