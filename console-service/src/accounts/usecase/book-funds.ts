import type { Logger } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Ledger } from '../clients/ledger.js';
import type { FundsBook } from '../store/funds-book.js';
import { bookTogether, makeBookUnbooked, type BookUnbooked } from './book-unbooked.js';

/** What {@link makeBookFunds} needs. */
export interface BookFundsDeps {
  readonly book: Pick<FundsBook, 'deposits' | 'adjustments'>;
  readonly ledger: Pick<Ledger, 'recordDeposit' | 'recordAdjustment'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Makes {@link BookUnbooked} for deposits and adjustments together. */
export function makeBookFunds({ book, ledger, clock, log }: BookFundsDeps): BookUnbooked {
  const { deposits, adjustments } = book;
  return bookTogether([
    makeBookUnbooked({
      what: 'deposit',
      readUnbooked: (countMax) => deposits.readUnbooked(countMax),
      record: (deposit) => ledger.recordDeposit(deposit),
      markBooked: (references, atMs) => deposits.markBooked(references, atMs),
      clock,
      log,
    }),
    makeBookUnbooked({
      what: 'adjustment',
      readUnbooked: (countMax) => adjustments.readUnbooked(countMax),
      record: (adjustment) => ledger.recordAdjustment(adjustment),
      markBooked: (references, atMs) => adjustments.markBooked(references, atMs),
      clock,
      log,
    }),
  ]);
}
