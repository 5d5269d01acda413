import { LeaseVerdict } from '@placard/protos/events/v1/events.js';
import { DAY_MS, MINUTE_MS, minuteOf, SECOND_MS } from '@placard/service-kit/pure';
import type { TestClock } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { COST, makeDesk, START_MS, type LeaseBooks } from './lease-books.js';
import { describePacing } from './exchange-leases-pacing.suite.js';

/** The behaviour of every implementation of SpendService.ExchangeLeases. Contract: docs/contract/selection.md#reservation. */
export function describeExchangeLeases(name: string, open: () => Promise<LeaseBooks>): void {
  describe(`budget leases ${name}`, () => {
    let books: LeaseBooks;
    let clock: TestClock;
    beforeEach(async () => {
      books = await open();
      clock = books.clock;
    });
    afterEach(() => books.close());

    const { wanted, exchange, want, peek, report, lease, expectHeld, toTheEnd, closeAll } = makeDesk(
      () => books,
    );

    describe('granting', () => {
      it('a want is granted whole ads, and a repeated want grants nothing more', async () => {
        const first = await want({ grantedMaxNanos: 5n * COST + 1n });
        expect(first).to.include({ verdict: LeaseVerdict.GRANTED, grantedNanos: 5n * COST });
        const again = await want({ grantedMaxNanos: 5n * COST });
        expect(again).to.include({
          verdict: LeaseVerdict.GRANTED,
          grantedNanos: 5n * COST,
          isScarce: false,
        });
        expect(await want({ grantedMaxNanos: 7n * COST })).to.include({ grantedNanos: 7n * COST });
        await expectHeld(7n * COST);
      });

      it('an answer names what is left of the budgets that have a limit', async () => {
        const limits = { totalLimitNanos: 9n * COST, dailyLimitNanos: 7n * COST };
        const granted = await want({ ...limits, grantedMaxNanos: 3n * COST });
        expect(granted).to.include({ totalLeftNanos: 6n * COST, dailyLeftNanos: 4n * COST });
        const [peeked] = (await exchange({ peeks: [wanted({ totalLimitNanos: 9n * COST })] })).peeks;
        expect(peeked).to.include({ totalLeftNanos: 6n * COST, dailyLeftNanos: undefined });
      });

      it('one replica is granted exactly N ads when the headroom holds N', async () => {
        const limit = { totalLimitNanos: 12n * COST + 9n };
        let granted = 0n;
        for (let turn = 0; turn < 4; turn += 1)
          granted = (await want({ ...limit, grantedMaxNanos: granted + 5n * COST })).grantedNanos;
        expect(granted).to.equal(12n * COST);
        const { verdict } = await want({ ...limit, grantedMaxNanos: granted + COST });
        expect(verdict).to.equal(LeaseVerdict.TOTAL);
      });

      it('a refusal names the first limit without room: total, day, balance', async () => {
        await want({ grantedMaxNanos: 3n * COST });
        const full = { totalLimitNanos: 3n * COST, dailyLimitNanos: COST, fundedNanos: 0n };
        expect(await peek(full)).to.equal(LeaseVerdict.TOTAL);
        expect(await peek({ ...full, totalLimitNanos: undefined })).to.equal(LeaseVerdict.DAY);
        expect(await peek({ fundedNanos: 4n * COST - 1n })).to.equal(LeaseVerdict.BALANCE);
        expect(await peek({ fundedNanos: 4n * COST })).to.equal(LeaseVerdict.GRANTED);
      });

      it('a day’s limit counts the leases of its UTC day alone, the total all of them', async () => {
        clock.advance(DAY_MS - MINUTE_MS - (clock.now() % DAY_MS));
        await want({ grantedMaxNanos: 3n * COST });
        clock.advance(MINUTE_MS);
        expect(await peek({ dailyLimitNanos: COST })).to.equal(LeaseVerdict.GRANTED);
        expect(await peek({ totalLimitNanos: 4n * COST - 1n })).to.equal(LeaseVerdict.TOTAL);
      });

      it('sibling campaigns share one balance within one exchange', async () => {
        const { wants } = await exchange({
          wants: ['cmp_a', 'cmp_b', 'cmp_c'].map((campaignId) =>
            wanted({ campaignId, fundedNanos: 15n * COST }),
          ),
        });
        expect(wants.map(({ grantedNanos }) => grantedNanos)).to.deep.equal([10n * COST, 5n * COST, 0n]);
        expect(wants[2]?.verdict).to.equal(LeaseVerdict.BALANCE);
      });

      it('with several replicas a grant is at most half of an equal share, and at least one ad', async () => {
        const limit = { totalLimitNanos: 41n * COST };
        await want({ grantedMaxNanos: COST }, 'run-2');
        const shared = await want({ ...limit, grantedMaxNanos: 100n * COST });
        expect(shared).to.include({ grantedNanos: 10n * COST, isScarce: true });
        const last = await want({ totalLimitNanos: 12n * COST, grantedMaxNanos: 100n * COST });
        expect(last).to.include({ grantedNanos: 11n * COST, isScarce: true });
      });

      it('a replica that was not seen for more than 5 seconds has no part in a share', async () => {
        await want({ grantedMaxNanos: COST }, 'run-2');
        clock.advance(5 * SECOND_MS + 1);
        const alone = await want({ totalLimitNanos: 41n * COST, grantedMaxNanos: 40n * COST });
        expect(alone).to.include({ grantedNanos: 40n * COST, isScarce: false });
      });

      it('many replicas at once are never granted more than the limit', async () => {
        const runs = Array.from({ length: 12 }, (_, at) => `run-${at}`);
        let granted = 0n;
        for (let turn = 1n; turn <= 8n; turn += 1n) {
          const wants = runs.map((run) =>
            want({ grantedMaxNanos: turn * 3n * COST, totalLimitNanos: 50n * COST }, run),
          );
          granted = (await Promise.all(wants)).reduce((sum, one) => sum + one.grantedNanos, 0n);
        }
        expect(granted).to.equal(50n * COST);
        await expectHeld(50n * COST);
      });

      it('a peek grants nothing, and a campaign without fills has its whole budget as headroom', async () => {
        const { peeks } = await exchange({ peeks: [wanted({ totalLimitNanos: COST })] });
        expect(peeks[0]).to.include({ verdict: LeaseVerdict.GRANTED, grantedNanos: 0n });
        await expectHeld(0n);
      });

      it('a want is refused as ended when its minute is far from the clock, or its ads would be over', async () => {
        for (const [minutes, verdict] of [
          [-3, LeaseVerdict.ENDED],
          [-2, LeaseVerdict.GRANTED],
          [2, LeaseVerdict.GRANTED],
          [3, LeaseVerdict.ENDED],
        ] as const) {
          const minute = BigInt(minuteOf(clock.now()) + minutes);
          expect((await want({ minute })).verdict, `${minutes} minutes`).to.equal(verdict);
        }
        expect((await want({ expiresAtMs: BigInt(clock.now()) })).verdict).to.equal(LeaseVerdict.ENDED);
      });

      it('a want for the lease of another advertiser is refused as ended', async () => {
        await want();
        const other = await want({ advertiserId: 'adv_other', grantedMaxNanos: 20n * COST });
        expect(other.verdict).to.equal(LeaseVerdict.ENDED);
      });
    });

    describe('returning', () => {
      it('returned money is headroom for a want of the same exchange', async () => {
        const limit = { totalLimitNanos: 10n * COST };
        await want(limit);
        const { wants } = await exchange({
          reports: [report({ filledNanos: 4n * COST, returnedNanos: 6n * COST })],
          wants: [wanted({ ...limit, grantedMaxNanos: 13n * COST })],
        });
        expect(wants[0]).to.include({ verdict: LeaseVerdict.GRANTED, grantedNanos: 13n * COST });
      });

      it('a late copy of an older report changes nothing', async () => {
        await want();
        await exchange({ reports: [report({ filledNanos: 2n * COST, returnedNanos: 8n * COST })] });
        await exchange({ reports: [report({ filledNanos: COST, returnedNanos: 3n * COST })] });
        await expectHeld(2n * COST);
      });

      it('an ended lease gets no grants, even after a late copy of an older report', async () => {
        await want();
        await exchange({ reports: [report({ returnedNanos: 10n * COST, ended: true })] });
        await exchange({ reports: [report({ returnedNanos: 3n * COST })] });
        expect(await want({ grantedMaxNanos: 20n * COST })).to.include({
          verdict: LeaseVerdict.ENDED,
          grantedNanos: 10n * COST,
        });
        expect(await peek(), 'a peek has no lease').to.equal(LeaseVerdict.GRANTED);
        await expectHeld(0n);
      });

      it('a report can return neither money of impressions nor money that was never granted', async () => {
        await want({ grantedMaxNanos: 3n * COST });
        await books.judge(lease(), COST, 'accepted');
        await exchange({ reports: [report({ returnedNanos: 9n * COST })] });
        await expectHeld(COST);
        await exchange({ reports: [report({ campaignId: 'cmp_unknown', returnedNanos: COST })] });
        await expectHeld(COST);
      });

      it('a suspicious impression gives its price back at once, and only once', async () => {
        await want({ grantedMaxNanos: 2n * COST });
        await books.judge(lease(), COST, 'suspicious');
        await expectHeld(2n * COST);
        for (let turn = 0; turn < 2; turn += 1) {
          await books.release(lease());
          await expectHeld(COST);
        }
        await closeAll();
        await expectHeld(0n);
      });
    });

    describe('closing', () => {
      it('money of unshown ads is headroom again 60 seconds after the last of them is over, once', async () => {
        await want({ grantedMaxNanos: 4n * COST });
        await books.judge(lease(), COST, 'accepted');
        toTheEnd();
        await books.closeDue();
        await expectHeld(4n * COST);
        clock.advance(1);
        await Promise.all([books.closeDue(), books.closeDue(), books.closeDue()]);
        await expectHeld(COST);
      });

      it('a closed lease takes neither reports nor wants', async () => {
        const minute = BigInt(minuteOf(clock.now()));
        await want({ grantedMaxNanos: 4n * COST });
        await books.judge(lease(), COST, 'accepted');
        await closeAll();
        await exchange({ reports: [report({ minute, returnedNanos: 3n * COST })] });
        await expectHeld(COST);
        clock.set(START_MS);
        const late = await want({ grantedMaxNanos: 9n * COST });
        expect(late).to.include({ verdict: LeaseVerdict.ENDED, grantedNanos: 4n * COST });
      });
    });

    describePacing(() => books);
  });
}
