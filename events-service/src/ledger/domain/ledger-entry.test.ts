import { asAccountId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { sumEntries, type LedgerEntry } from './ledger-entry.js';

function entry(changes: Partial<LedgerEntry>): LedgerEntry {
  return {
    transactionId: 'a',
    accountKind: 'advertiser',
    accountId: asAccountId('x'),
    day: 5,
    amountNanos: 1n,
    ...changes,
  };
}

describe('the sums of ledger entries', () => {
  it('are one for each account and day, of all its transactions', () => {
    const sums = sumEntries([
      entry({ amountNanos: 10n }),
      entry({ amountNanos: -3n, transactionId: 'b' }),
      entry({ amountNanos: 20n, day: 6 }),
      entry({ amountNanos: 30n, accountKind: 'publisher', accountId: asAccountId('x') }),
      entry({ amountNanos: 40n, accountId: asAccountId('y') }),
      entry({ amountNanos: 5n }),
    ]);
    expect(
      sums.map(({ accountKind, accountId, day, sumNanos, entries }) => [
        `${accountKind} ${accountId} ${day}`,
        sumNanos,
        entries,
      ]),
    ).to.deep.equal([
      ['advertiser x 5', 12n, 3],
      ['advertiser x 6', 20n, 1],
      ['publisher x 5', 30n, 1],
      ['advertiser y 5', 40n, 1],
    ]);
  });

  it('are none of no entries', () => {
    expect(sumEntries([])).to.deep.equal([]);
  });

  it('keep the days of an account apart whose id ends in digits', () => {
    const sums = sumEntries([
      entry({ accountId: asAccountId('x1'), day: 2 }),
      entry({ accountId: asAccountId('x'), day: 12 }),
    ]);
    expect(sums).to.have.length(2);
  });
});
