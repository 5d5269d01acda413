import { asAdvertiserId, asPublisherId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { toAdjustmentEntries } from './adjustment.js';
import { isBookableText } from './bookable-text.js';
import { toDepositEntries } from './deposit.js';
import { addsUp, type StatementLine } from './statement.js';
import { toTransferEntries, transferKind } from './transfer.js';

describe('bookings by hand', () => {
  const day = 20_000;

  it('a deposit adds to the advertiser what it takes from the deposits account', () => {
    const entries = toDepositEntries({
      reference: 'INV-7',
      advertiserId: asAdvertiserId('adv_a'),
      amountNanos: 5n,
      day,
    });
    expect(entries).to.deep.equal([
      { transactionId: 'INV-7', day, accountKind: 'advertiser', accountId: 'adv_a', amountNanos: 5n },
      { transactionId: 'INV-7', day, accountKind: 'deposits', accountId: 'deposits', amountNanos: -5n },
    ]);
  });

  it('an adjustment adds to the account what it takes from the platform', () => {
    const given = {
      reference: 'T-1',
      accountKind: 'publisher',
      accountId: asPublisherId('pub_a'),
      amountNanos: -5n,
      day,
    } as const;
    expect(toAdjustmentEntries(given)).to.deep.equal([
      { transactionId: 'T-1', day, accountKind: 'publisher', accountId: 'pub_a', amountNanos: -5n },
      { transactionId: 'T-1', day, accountKind: 'platform', accountId: 'platform', amountNanos: 5n },
    ]);
  });

  it('a payout or refund adds to the payouts account what it takes from the account', () => {
    const given = { reference: 'PAY-1', accountKind: 'publisher', amountNanos: 5n, day } as const;
    expect(toTransferEntries({ ...given, accountId: asPublisherId('pub_a') })).to.deep.equal([
      { transactionId: 'PAY-1', day, accountKind: 'publisher', accountId: 'pub_a', amountNanos: -5n },
      { transactionId: 'PAY-1', day, accountKind: 'payouts', accountId: 'payouts', amountNanos: 5n },
    ]);
    expect([transferKind('publisher'), transferKind('advertiser')]).to.deep.equal(['payout', 'refund']);
  });

  it('a reference or reason has 1 to the given number of characters and no control character', () => {
    for (const text of ['a', 'abc', 'é ü', '\u{1f600}']) expect(isBookableText(text, 3), text).to.equal(true);
    for (const text of ['', 'abcd', 'a\nb', 'a\u0000', '\u0085', '\ud83d'])
      expect(isBookableText(text, 3), JSON.stringify(text)).to.equal(false);
  });

  it('a statement adds up when its lines lead from the opening to the closing balance', () => {
    const lines = [{ amountNanos: 3n }, { amountNanos: -5n }] as unknown as readonly StatementLine[];
    expect(addsUp({ openingNanos: 10n, lines, closingNanos: 8n })).to.equal(true);
    expect(addsUp({ openingNanos: 10n, lines, closingNanos: 9n })).to.equal(false);
    expect(addsUp({ openingNanos: 4n, lines: [], closingNanos: 4n })).to.equal(true);
  });
});
