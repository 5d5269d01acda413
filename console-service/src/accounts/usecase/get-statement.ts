import { appError } from '@placard/service-kit';
import type { Ledger, LedgerStatement } from '../clients/ledger.js';
import { readAccountName, type Account } from '../domain/account-name.js';
import { readMonth } from '../domain/month.js';
import { readTyped } from '../domain/typed-text.js';
import type { CatalogStore } from '../../catalog/store/catalog-store.js';
import type { BookUnbooked } from './book-unbooked.js';

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
    const days = readMonth(request.month);
    if (days === null) {
      throw appError(
        'invalid_argument',
        `${request.month} is not a month from 1970-01 to 9999-12. Write it such as 2026-11.`,
      );
    }
    const account = await findAccount(store, request.account);
    await bookUnbooked();
    return { account, statement: await ledger.statement(account, days) };
  };
}

async function findAccount(store: Pick<CatalogStore, 'ownersOf'>, text: string): Promise<Account> {
  const typed = readTyped('account', text);
  if ('fault' in typed) throw appError('invalid_argument', `The statement is refused: ${typed.fault}.`);
  const name = readAccountName(typed.text);
  if (name === null) {
    throw appError(
      'invalid_argument',
      `${text} is not of the form advertiser:ID, publisher:ID, platform or deposits.`,
    );
  }
  if (name.kind === 'platform' || name.kind === 'deposits') return name;
  const owners = (await store.ownersOf(name.id)).filter((kind) => name.kind === null || kind === name.kind);
  const [kind, other] = owners;
  if (kind === undefined)
    throw appError('invalid_argument', `There is no ${name.kind ?? 'account'} ${name.id}.`);
  if (other === undefined) return { kind, id: name.id };
  throw appError(
    'invalid_argument',
    `${name.id} is an advertiser and a publisher: write advertiser:${name.id} or publisher:${name.id}.`,
  );
}
