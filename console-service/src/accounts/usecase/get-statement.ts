import { appError } from '@placard/service-kit';
import type { Ledger, LedgerStatement } from '../clients/ledger.js';
import type { Account } from '../domain/account-name.js';
import { readMonthOrRefuse } from './read-month.js';
import type { CatalogStore } from '../../catalog/store/catalog-store.js';
import type { BookUnbooked } from './book-unbooked.js';
import { findAccount } from './find-account.js';

/** The statement of an account for a month. */
export interface AccountStatement {
  readonly account: Account;
  readonly statement: LedgerStatement;
}

/**
 * Reads the statement of an account for a UTC month (`2026-11`). Errors: `invalid_argument` (unknown account or month),
 * `failed_precondition` (too many lines, or the books do not add up), `unavailable`.
 */
export type GetStatement = (request: {
  readonly account: string;
  readonly month: string;
}) => Promise<AccountStatement>;

/** What {@link GetStatement} needs. */
export interface GetStatementDeps {
  readonly store: Pick<CatalogStore, 'ownersOf'>;
  readonly ledger: Pick<Ledger, 'statement'>;
  readonly bookUnbooked: BookUnbooked;
}

/** Makes {@link GetStatement}. Unbooked deposits and adjustments are booked first. */
export function makeGetStatement({ store, ledger, bookUnbooked }: GetStatementDeps): GetStatement {
  return async (request) => {
    const days = readMonthOrRefuse(request.month);
    const account = await findAccount(store, request.account, refusal);
    await bookUnbooked();
    return { account, statement: await ledger.statement(account, days) };
  };
}

function refusal(reason: string) {
  return appError('invalid_argument', `The statement is refused: ${reason}.`);
}
