import { LeaseVerdict, type LeasePace, type LeaseWant } from '@placard/protos/events/v1/events.js';
import { DAY_MS, MINUTE_MS, minuteOf, SECOND_MS } from '@placard/service-kit/pure';
import type { TestClock } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { COST, makeDesk, type LeaseBooks } from './lease-books.js';

/** The behaviour for paced campaigns, a part of the suite of ExchangeLeases. Contract: docs/contract/selection.md#pacing. */
export function describePacing(books: () => LeaseBooks): void {
  describe('pacing', () => {
    const clock = (): TestClock => books().clock;
    const { wanted, exchange, want, peek, report, lease, closeAll } = makeDesk(books);
    const BUDGET = 1_000n * COST;
    /** A plan in ads. */
    const paced = (plan: number, changes: Partial<LeasePace> = {}): Partial<LeaseWant> => ({
      dailyLimitNanos: BUDGET,
      grantedMaxNanos: 100n * COST,
      pace: {
        anchor: undefined,
        anchorSinceMs: undefined,
        budgetNanos: BUDGET,
        planNanos: plan * Number(COST),
        mostNanos: undefined,
        show: 0.5,
        late: 0.2,
        ...changes,
      },
    });
    const ads = (count: number): number => count * Number(COST);

    it('the first ad of a day always fits, and sets the anchor of the plan', async () => {
      expect(await want(paced(0))).to.deep.include({
        verdict: LeaseVerdict.GRANTED,
        grantedNanos: COST,
        isScarce: true,
        anchor: { atMs: BigInt(clock().now()), spentNanos: 0n, budgetNanos: BUDGET },
      });
      expect((await want(paced(50))).verdict).to.equal(LeaseVerdict.ANCHOR);
    });

    it('a peek answers the anchor that would hold, and sets none', async () => {
      const { peeks } = await exchange({ peeks: [wanted(paced(0))] });
      expect(peeks[0]?.anchor?.atMs).to.equal(BigInt(clock().now()));
      clock().advance(SECOND_MS);
      expect((await want(paced(0))).anchor?.atMs).to.equal(BigInt(clock().now()));
    });

    it('an anchor is of its day, also when the minute is asked for before midnight', async () => {
      clock().advance(DAY_MS - SECOND_MS - (clock().now() % DAY_MS));
      const minute = BigInt(minuteOf(clock().now()) + 1);
      expect((await want({ ...paced(0), minute })).anchor?.atMs).to.equal(BigInt(clock().now() + SECOND_MS));
    });

    it('the plan and the brake bound grants, and open money counts at its likely share', async () => {
      const { anchor } = await want(paced(0));
      // The first ad counts 0.5. A plan of 10 ads leaves room for 1 + (10 - 0.5 - 1) / 0.5 more.
      expect(await peek(paced(1, { anchor }))).to.equal(LeaseVerdict.PACE);
      expect(await peek(paced(100, { anchor, mostNanos: ads(1.5) }))).to.equal(LeaseVerdict.PACE);
      expect(await want(paced(10, { anchor }))).to.include({
        verdict: LeaseVerdict.GRANTED,
        grantedNanos: 19n * COST,
      });
      const braked = await want(paced(100, { anchor, mostNanos: ads(25) }));
      expect(braked).to.include({ grantedNanos: 25n * COST, isScarce: true });
    });

    it('accepted money counts whole, returned money not at all, and older open money at its late share', async () => {
      const { anchor } = await want(paced(0));
      await want(paced(100, { anchor, mostNanos: ads(10) }));
      await books().judge(lease(), COST, 'accepted');
      await exchange({ reports: [report({ returnedNanos: 4n * COST })] });
      clock().advance(2 * MINUTE_MS);
      // One is accepted and five are open: 1 + 0.2 * 5 are likely.
      expect(await peek(paced(2.9, { anchor }))).to.equal(LeaseVerdict.PACE);
      expect(await peek(paced(3.1, { anchor }))).to.equal(LeaseVerdict.GRANTED);
    });

    it('returns and grants of an exchange count in the plans of its later wants', async () => {
      const { anchor } = await want(paced(0));
      await want(paced(100, { anchor, mostNanos: ads(10) }));
      const next = BigInt(minuteOf(clock().now()) + 1);
      const { wants } = await exchange({
        reports: [report({ filledNanos: 2n * COST, returnedNanos: 8n * COST })],
        wants: [
          wanted(paced(100, { anchor, mostNanos: ads(5) })),
          // Five are open, all of them fresh: 0.5 * 5 are likely, and 4 leave room for 1 + (4 - 2.5 - 1) / 0.5 more.
          wanted({ ...paced(4, { anchor }), minute: next }),
        ],
      });
      expect(wants[0]).to.include({ verdict: LeaseVerdict.GRANTED, grantedNanos: 13n * COST });
      expect(wants[1]).to.include({ verdict: LeaseVerdict.GRANTED, grantedNanos: 2n * COST });
    });

    it('another daily budget and a resumption begin a new plan', async () => {
      const { anchor } = await want(paced(0));
      const half = { budgetNanos: BUDGET / 2n };
      const other = await want(paced(50, { ...half, anchor }));
      expect(other.verdict).to.equal(LeaseVerdict.ANCHOR);
      expect(other.anchor).to.deep.include({ budgetNanos: BUDGET / 2n, spentNanos: COST / 2n });
      clock().advance(SECOND_MS);
      const anchorSinceMs = BigInt(clock().now());
      const resumed = await want(paced(50, { ...half, anchor: other.anchor, anchorSinceMs }));
      expect(resumed.anchor?.atMs).to.equal(anchorSinceMs);
    });

    it('a refusal for a limit answers the anchor of the day all the same', async () => {
      const { anchor } = await want(paced(0));
      const refused = await want({ ...paced(50, { anchor }), totalLimitNanos: COST });
      expect(refused).to.deep.include({ verdict: LeaseVerdict.TOTAL, anchor });
    });

    it('closed fills are added to the campaign, and each day halves the older ones', async () => {
      const one = { ...paced(0), grantedMaxNanos: COST };
      const learned = async () => (await want(one)).closedFills;
      expect(await learned()).to.deep.equal({ shownNanos: 0, unshownNanos: 0, lateNanos: 0 });
      await exchange({ reports: [report({ filledNanos: COST })] });
      const shown = lease();
      clock().advance(2 * MINUTE_MS);
      await books().judge(shown, COST, 'accepted');
      await closeAll();
      clock().advance(DAY_MS - (clock().now() % DAY_MS));
      expect(await learned()).to.deep.equal({ shownNanos: ads(1), unshownNanos: 0, lateNanos: ads(1) });
      await exchange({ reports: [report({ filledNanos: COST })] });
      await closeAll();
      const halved = { shownNanos: ads(0.5), unshownNanos: ads(1), lateNanos: ads(0.5) };
      expect(await learned()).to.deep.equal(halved);
    });

    it('a campaign that is not paced is answered neither anchor nor closed fills', async () => {
      const answer = await want();
      expect([answer.anchor, answer.closedFills]).to.deep.equal([undefined, undefined]);
    });
  });
}
