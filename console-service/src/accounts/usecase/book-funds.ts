import type { Logger } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { Ledger } from '../clients/ledger.js';
import type { TransferKind } from '../domain/transfer-rules.js';
import type { FundsBook } from '../store/funds-book.js';
import type { TransferStore } from '../store/transfers.js';
import type { BookTransfer } from './book-transfer.js';
import { bookInOrder, bookTogether, makeBookUnbooked, type BookUnbooked } from './book-unbooked.js';

/** What {@link makeBookGiven} needs. */
export interface BookGivenDeps {
  readonly book: Pick<FundsBook, 'deposits' | 'adjustments'>;
  readonly ledger: Pick<Ledger, 'recordDeposit' | 'recordAdjustment'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What {@link makeBookFunds} needs. */
export interface BookFundsDeps extends BookGivenDeps {
  readonly transfers: Pick<TransferStore, 'readUnbooked'>;
  readonly bookTransfer: BookTransfer;
}

const FUNDS_AT_ONCE = 8;
/** Each one waits for the ledger in a transaction of its own, which is a connection to Postgres. */
const TRANSFERS_AT_ONCE = 1;

/**
 * Makes {@link BookUnbooked} for deposits, adjustments, payouts and refunds. The ledger judges a payout or refund by the
 * balance, so it is asked for one only when all deposits and adjustments are booked.
 */
export function makeBookFunds(deps: BookFundsDeps): BookUnbooked {
  const transfers = [makeBookTransfers(deps, 'payout'), makeBookTransfers(deps, 'refund')];
  return bookInOrder([makeBookGiven(deps), bookTogether(transfers)]);
}

/** Makes {@link BookUnbooked} for deposits and adjustments. */
export function makeBookGiven({ book, ledger, clock, log }: BookGivenDeps): BookUnbooked {
  const { deposits, adjustments } = book;
  return bookInOrder([
    makeBookUnbooked({
      what: 'deposit',
      readUnbooked: (countMax) => deposits.readUnbooked(countMax),
      record: (deposit) => ledger.recordDeposit(deposit).then(() => true),
      markBooked: (references, atMs) => deposits.markBooked(references, atMs),
      atOnceMax: FUNDS_AT_ONCE,
      clock,
      log,
    }),
    makeBookUnbooked({
      what: 'adjustment',
      readUnbooked: (countMax) => adjustments.readUnbooked(countMax),
      record: (adjustment) => ledger.recordAdjustment(adjustment).then(() => true),
      markBooked: (references, atMs) => adjustments.markBooked(references, atMs),
      atOnceMax: FUNDS_AT_ONCE,
      clock,
      log,
    }),
  ]);
}

function makeBookTransfers(
  { transfers, bookTransfer, clock, log }: BookFundsDeps,
  kind: TransferKind,
): BookUnbooked {
  return makeBookUnbooked({
    what: kind,
    readUnbooked: (countMax) => transfers.readUnbooked(kind, countMax),
    record: async (transfer) => {
      const reason = await bookTransfer(transfer);
      if (reason !== null) log.warn({ reference: transfer.reference, reason }, `a ${kind} is not booked`);
      return false;
    },
    markBooked: null,
    atOnceMax: TRANSFERS_AT_ONCE,
    clock,
    log,
  });
}
