import { DAY_MS, asAdvertiserId, asOwnerId, dayOf } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import { makeRecordAdjustment } from '../../src/ledger/usecase/record-adjustment.js';
import { makeRecordDeposit } from '../../src/ledger/usecase/record-deposit.js';
import { makeRecordTransfer } from '../../src/ledger/usecase/record-transfer.js';
import { monthOf } from '../../src/months/domain/month.js';
import { makeCloseMonth } from '../../src/months/usecase/close-month.js';
import { balancesOf, faultsOf, openBed, openStores, type Bed } from '../support/bed.js';

/** What an operator does. A reference is a number, so that some are used again. */
type Step =
  | { readonly do: 'deposit'; readonly amount: bigint; readonly reference: number }
  | { readonly do: 'adjust'; readonly kind: Owner; readonly amount: bigint; readonly reference: number }
  | { readonly do: 'transfer'; readonly kind: Owner; readonly amount: bigint; readonly reference: number }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'close' };

type Owner = 'advertiser' | 'publisher';

const reference = fc.integer({ min: 1, max: 12 });
const kind = fc.constantFrom<Owner>('advertiser', 'publisher');
const amount = fc.bigInt({ min: 1n, max: 20n });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deposit' as const), amount, reference }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      kind,
      amount: fc.bigInt({ min: -10n, max: 20n }).filter((nanos) => nanos !== 0n),
      reference,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('transfer' as const), kind, amount, reference }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: -3, max: 20 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
);

/** The books as plain sums. */
class Model {
  readonly booked = new Map<string, string>();
  readonly balances = { advertiser: 0n, publisher: 0n, platform: 0n, deposits: 0n, payouts: 0n };
  /** Days of bookings, in their order. */
  readonly days: number[] = [];
  /** What moved the balance of the publisher. */
  readonly earned: { readonly day: number; readonly nanos: bigint; readonly isPayout: boolean }[] = [];
  /** What was due to the publisher at each close of a month with a statement of it. */
  readonly due: bigint[] = [];
  openDay: number | null = null;

  /** The code of the refusal; null: it is booked, now or before. */
  book(key: string, what: string, day: number, move: () => boolean): string | null {
    const before = this.booked.get(key);
    if (before !== undefined) return before === what ? null : 'conflict';
    if (!move()) return 'failed_precondition';
    this.booked.set(key, what);
    this.days.push(this.dayOf(day));
    return null;
  }

  move(owner: Owner, counter: 'deposits' | 'platform' | 'payouts', nanos: bigint, day: number): boolean {
    const isPayout = counter === 'payouts';
    if (isPayout && this.balances[owner] + nanos < 0n) return false;
    this.balances[owner] += nanos;
    this.balances[counter] -= nanos;
    if (owner === 'publisher') this.earned.push({ day: this.dayOf(day), nanos, isPayout });
    return true;
  }

  /** The day on which a booking counts. */
  dayOf(day: number): number {
    return Math.max(day, this.openDay ?? 0);
  }

  close(firstDay: number, today: number): string | null {
    const due = this.openDay ?? (this.days.length === 0 ? null : Math.min(...this.days));
    const month = monthOf(firstDay);
    if (month.toDay > today || due === null || monthOf(due).fromDay !== firstDay)
      return 'failed_precondition';
    this.openDay = month.toDay;
    this.closeStatement(month.toDay);
    return null;
  }

  closeStatement(toDay: number): void {
    const before = this.earned.filter(({ day }) => day < toDay);
    if (before.length === 0) return;
    const sum = (parts: typeof this.earned) => parts.reduce((total, { nanos }) => total + nanos, 0n);
    const paid = sum(this.earned.filter(({ day, isPayout }) => isPayout && day >= toDay));
    const least = [sum(before) + paid, this.balances.publisher].reduce((a, b) => (a < b ? a : b));
    this.due.push(least < 0n ? 0n : least);
  }
}

const idOf = (owner: Owner) => asOwnerId(owner === 'advertiser' ? 'adv_a' : 'pub_a');

function act(
  bed: Bed,
  model: Model,
  given: Step,
): { readonly asked: () => Promise<unknown>; readonly wanted: string | null } {
  const { ledger, months } = openStores(bed.pool);
  const { clock } = bed;
  const today = dayOf(clock.now());
  switch (given.do) {
    case 'wait':
      clock.set(clock.now() + given.days * DAY_MS);
      return { asked: () => Promise.resolve(), wanted: null };
    case 'close': {
      const first =
        model.openDay ?? monthOf(model.days.length === 0 ? today : Math.min(...model.days)).fromDay;
      const wanted = model.close(first, today);
      return {
        asked: () => makeCloseMonth(months, clock)({ firstDay: first, minimumPayoutNanos: null }),
        wanted,
      };
    }
    case 'deposit': {
      const deposit = {
        advertiserId: asAdvertiserId('adv_a'),
        amountNanos: given.amount,
        reference: `R${given.reference}`,
      };
      const wanted = model.book(`deposit ${given.reference}`, `${given.amount}`, today, () =>
        model.move('advertiser', 'deposits', given.amount, today),
      );
      return { asked: () => makeRecordDeposit(ledger, clock)(deposit), wanted };
    }
    case 'adjust':
    case 'transfer': {
      const isTransfer = given.do === 'transfer';
      const booking = {
        accountKind: given.kind,
        accountId: idOf(given.kind),
        amountNanos: given.amount,
        reference: `R${given.reference}`,
      };
      const key = isTransfer ? `transfer ${given.kind} ${given.reference}` : `adjust ${given.reference}`;
      const wanted = model.book(key, `${given.kind} ${given.amount}`, today, () =>
        isTransfer
          ? model.move(given.kind, 'payouts', -given.amount, today)
          : model.move(given.kind, 'platform', given.amount, today),
      );
      return {
        asked: () =>
          isTransfer
            ? makeRecordTransfer(ledger, clock)(booking, Infinity)
            : makeRecordAdjustment(ledger, clock)({ ...booking, reason: 'x' }),
        wanted,
      };
    }
  }
}

async function run(steps: readonly Step[]): Promise<void> {
  const bed = await openBed();
  try {
    const model = new Model();
    for (const given of steps) {
      const { asked, wanted } = act(bed, model, given);
      expect(
        await codeOf(asked),
        JSON.stringify(given, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
      ).to.equal(wanted);
    }
    const { advertiser, publisher, platform, deposits, payouts } = model.balances;
    const balances = await balancesOf(bed.pool);
    expect([balances['advertiser adv_a'] ?? 0n, balances['publisher pub_a'] ?? 0n]).to.deep.equal([
      advertiser,
      publisher,
    ]);
    expect([
      balances['platform platform'],
      balances['deposits deposits'],
      balances['payouts payouts'],
    ]).to.deep.equal([platform, deposits, payouts]);
    const { rows } = await bed.pool.query<{ day: number }>(
      "SELECT day - date '1970-01-01' AS day FROM ledger.transaction ORDER BY day",
    );
    expect(rows.map(({ day }) => day)).to.deep.equal(model.days.sort((left, right) => left - right));
    const { rows: stated } = await bed.pool.query<{ due_nanos: bigint }>(
      "SELECT due_nanos FROM ledger.statement WHERE account_kind = 'publisher' ORDER BY month",
    );
    expect(stated.map(({ due_nanos: nanos }) => nanos)).to.deep.equal(model.due);
    expect(await faultsOf(bed.pool)).to.deep.equal({});
  } finally {
    await bed.drop();
  }
}

describe('the books and a model of them', () => {
  it('agree after any deposits, adjustments, payouts, refunds and closes, also on what is due, and pass the verification', async () => {
    const history = fc.array(step, { minLength: 20, maxLength: 50 });
    await fc.assert(fc.asyncProperty(history, run), { numRuns: 5 });
  }).timeout(120_000);
});
