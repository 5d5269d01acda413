import type { Scope } from '@placard/service-kit';
import type { Pool } from '@placard/service-kit/postgres';
import type { CatalogStore } from '../catalog/store/catalog-store.js';
import { openLedger, type LedgerAddresses } from './clients/ledger.js';
import { openBooking } from './open-booking.js';
import { openFundsCheck } from './open-funds-check.js';
import { makePgFundsBook } from './store/funds-book.pg.js';
import { makePgTransferStore } from './store/transfers.pg.js';
import { makeAdjust, type Adjust } from './usecase/adjust.js';
import { makeBookDeposit, type BookDeposit } from './usecase/book-deposit.js';
import { makeBookFunds } from './usecase/book-funds.js';
import { makeBookTransfer } from './usecase/book-transfer.js';
import { makeCloseMonth, type CloseMonth } from './usecase/close-month.js';
import { makeGetBalances, type GetBalances } from './usecase/get-balances.js';
import { makeGetStatement, type GetStatement } from './usecase/get-statement.js';
import { makeListStatements, type ListStatements } from './usecase/list-statements.js';
import { makeMakeTransfer, type MakeTransfer } from './usecase/make-transfer.js';
import { makeVerifyBookRows, type VerifyBookRows } from './usecase/verify-book-rows.js';
import { makeVerifyBooks, type VerifyBooks } from './usecase/verify-books.js';

/** The operators' use cases for accounts. */
export interface Accounts {
  readonly bookDeposit: BookDeposit;
  readonly adjust: Adjust;
  readonly makeTransfer: MakeTransfer;
  readonly closeMonth: CloseMonth;
  readonly listStatements: ListStatements;
  readonly getBalances: GetBalances;
  readonly getStatement: GetStatement;
  readonly verifyBooks: VerifyBooks;
  readonly verifyBookRows: VerifyBookRows;
}

/** What {@link openAccounts} needs. */
export interface AccountsDeps {
  readonly pool: Pool;
  readonly store: CatalogStore;
  readonly ledgerAt: LedgerAddresses;
  /** ISO 4217, of all amounts. */
  readonly currency: string;
}

/** Opens the accounts. Given money is booked in the ledger, and compared with it, until the scope closes. */
export function openAccounts(scope: Scope, { pool, store, ledgerAt, currency }: AccountsDeps): Accounts {
  const { clock, log } = scope;
  const book = makePgFundsBook(pool);
  const transfers = makePgTransferStore(pool);
  const ledger = openLedger(scope, ledgerAt);
  const bookTransfer = makeBookTransfer({ transfers, ledger, clock });
  const bookUnbooked = openBooking(
    scope,
    makeBookFunds({ book, transfers, bookTransfer, ledger, clock, log }),
  );
  const readGiven = async () => ({ funds: await book.readFunds(), transfers: await transfers.readSums() });
  const verifyBooks = makeVerifyBooks({ readGiven, ledger, bookUnbooked, clock });
  openFundsCheck(scope, verifyBooks);
  return {
    bookDeposit: makeBookDeposit({ store, clock, currency }),
    adjust: makeAdjust({ store, ledger, bookUnbooked, clock, log, currency }),
    makeTransfer: makeMakeTransfer({ store, transfers, bookTransfer, bookUnbooked, clock, currency }),
    closeMonth: makeCloseMonth({ ledger, bookUnbooked, verifyBooks, transfers }),
    listStatements: makeListStatements(ledger),
    getBalances: makeGetBalances({ store, ledger, bookUnbooked }),
    getStatement: makeGetStatement({ store, ledger, bookUnbooked }),
    verifyBooks,
    verifyBookRows: makeVerifyBookRows(ledger),
  };
}
