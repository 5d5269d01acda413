import { expect } from 'chai';
import { asAdvertiserId, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@placard/service-kit/pure';
import {
  aReport,
  COST,
  entryOf,
  ID,
  MINUTE,
  openWallet,
  SLICE,
  type WalletBed,
} from '../../../test/support/wallet-bed.js';
import { anAdvertiser, NOON } from '../../../test/support/world.js';
import type { IndexedCampaign } from '../../selection/domain/indexed-campaign.js';
import { FIRST_ADS, type Wallet } from './wallet.js';

describe('the wallet returns', () => {
  let wallet: Wallet;
  let entry: IndexedCampaign;
  let granted: WalletBed['granted'];
  let take: WalletBed['take'];
  let reported: WalletBed['reported'];
  beforeEach(() => {
    ({ wallet, entry, granted, take, reported } = openWallet());
  });

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
    ['advertiser', { ...entryOf(), advertiser: anAdvertiser({ id: asAdvertiserId('adv_south') }) }],
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

  it('the remaining money of a campaign that is gone', () => {
    wallet.follow(ID, null);
    const lease = granted(3n * COST);
    wallet.follow(ID, null);
    expect(reported()).to.eql([aReport(0n, 3n)]);
    wallet.noteAnswer(
      { lease, entry },
      { verdict: 'granted', grantedNanos: 3n * COST, isScarce: false },
      NOON,
    );
    wallet.tidy(NOON);
    expect(reported()).to.eql([]);
  });

  it('the money of a lease when a want from before a change has no answer', () => {
    const lease = granted(2n * COST);
    wallet.noteUnanswered({ lease, entry }, 5n * COST);
    expect(wallet.hasReturns, 'the terms hold').to.equal(false);
    wallet.noteUnanswered({ lease, entry: entryOf({ budgetTotalNanos: COST }) }, 5n * COST);
    expect(reported()).to.eql([aReport(0n, 2n)]);
  });

  it('everything at the end of the process, except leases with an unanswered want', () => {
    granted(2n * COST);
    const open = granted(3n * COST, { minute: MINUTE + 1 });
    open.noteUnanswered(5n * COST);
    wallet.want({ entry, minute: MINUTE + 2 }, 0, NOON);
    wallet.endAll();
    expect(reported()).to.eql([aReport(0n, 2n, true)]);
    wallet.follow(ID, null);
    reported();
    wallet.endAll();
    expect(reported()).to.eql([aReport(0n, 3n, true, 1)]);
  });

  it('more money than a report on its way says, which is reported again', () => {
    const lease = granted(3n * COST);
    wallet.follow(ID, entryOf({ budgetTotalNanos: COST }));
    const [sent] = wallet.reports(100, false);
    const answer = { verdict: 'granted', grantedNanos: 5n * COST, isScarce: false } as const;
    wallet.noteAnswer({ lease, entry }, answer, NOON);
    wallet.acknowledge(sent!);
    expect(reported()).to.eql([aReport(0n, 5n)]);
    expect(wallet.hasReturns).to.equal(false);
  });

  it('money of a lease that it keeps until the end of the lease is reported', () => {
    const lease = granted(3n * COST);
    const leaseNow = () => wallet.want({ entry, minute: MINUTE }, 0, NOON).lease;
    wallet.tidy(NOON + 2 * MINUTE_MS);
    wallet.tidy(NOON + 3 * MINUTE_MS);
    expect(leaseNow(), 'not reported yet').to.equal(lease);
    expect(reported()).to.eql([aReport(0n, 3n, true)]);
    wallet.tidy(NOON + 3 * MINUTE_MS);
    expect(leaseNow()).not.to.equal(lease);
  });

  it('what comes back or is granted after everything of its campaign was removed', () => {
    granted(2n * COST);
    const lease = take()!;
    wallet.tidy(NOON + 2 * MINUTE_MS);
    reported();
    wallet.tidy(NOON + 2 * MINUTE_MS);
    wallet.noteUnanswered({ lease, entry }, 5n * COST);
    expect(wallet.hasReturns).to.equal(false);
    wallet.giveBack(lease, entry, NOON);
    expect(reported()).to.eql([aReport(0n, 2n, true)]);
    const answer = { verdict: 'granted', grantedNanos: 5n * COST, isScarce: false } as const;
    expect(wallet.noteAnswer({ lease, entry }, answer, NOON)).to.equal(false);
    expect(reported()).to.eql([aReport(0n, 5n, true)]);
  });

  it('the same money only once', () => {
    granted(2n * COST);
    wallet.endAll();
    reported();
    wallet.endAll();
    wallet.tidy(NOON + 2 * MINUTE_MS);
    expect(wallet.hasReports).to.equal(false);
  });

  it('nothing when a creative changes', () => {
    granted(2n * COST);
    wallet.follow(ID, { ...entry, creatives: [] });
    expect(wallet.leftNanos).to.equal(2n * COST);
  });
});
