import type { Scope } from '@placard/service-kit';
import type { Pool } from '@placard/service-kit/postgres';
import type { CatalogStore } from '../catalog/store/catalog-store.js';
import { openLedger } from './clients/ledger.js';
import { openBooking } from './open-booking.js';
import { makePgFundsBook } from './store/funds-book.pg.js';
import { makeAdjust, type Adjust } from './usecase/adjust.js';
import { makeBookDeposit, type BookDeposit } from './usecase/book-deposit.js';
import { makeBookFunds } from './usecase/book-funds.js';
import { makeGetBalances, type GetBalances } from './usecase/get-balances.js';
import { makeGetStatement, type GetStatement } from './usecase/get-statement.js';
import { makeVerifyBookRows, type VerifyBookRows } from './usecase/verify-book-rows.js';
import { makeVerifyBooks, type VerifyBooks } from './usecase/verify-books.js';

/** The operators' use cases for accounts. */
export interface Accounts {
  readonly bookDeposit: BookDeposit;
  readonly adjust: Adjust;
  readonly getBalances: GetBalances;
  readonly getStatement: GetStatement;
  readonly verifyBooks: VerifyBooks;
  readonly verifyBookRows: VerifyBookRows;
}

/** What {@link openAccounts} needs. */
export interface AccountsDeps {
  readonly pool: Pool;
  readonly store: CatalogStore;
  /** `host:port` of events-service, which owns the ledger. */
  readonly ledgerAddress: string;
}

/** Opens the accounts. Deposits and adjustments are booked in the ledger until the scope closes. */
export function openAccounts(scope: Scope, { pool, store, ledgerAddress }: AccountsDeps): Accounts {
  const { clock, log } = scope;
  const book = makePgFundsBook(pool);
  const ledger = openLedger(scope, ledgerAddress);
  const bookUnbooked = openBooking(scope, makeBookFunds({ book, ledger, clock, log }));
  return {
    bookDeposit: makeBookDeposit({ store, clock }),
    adjust: makeAdjust({ store, clock }),
    getBalances: makeGetBalances({ store, ledger, bookUnbooked }),
    getStatement: makeGetStatement({ store, ledger, bookUnbooked }),
    verifyBooks: makeVerifyBooks({ book, ledger, bookUnbooked, clock }),
    verifyBookRows: makeVerifyBookRows(ledger),
  };
}
