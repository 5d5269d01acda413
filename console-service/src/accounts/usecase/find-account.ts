import type { AppError } from '@placard/service-kit';
import type { CatalogStore } from '../../catalog/store/catalog-store.js';
import { accountText, readAccountName, type Account, type OwnedAccount } from '../domain/account-name.js';
import { readTyped } from '../domain/typed-text.js';

/** Makes the error `invalid_argument` of a use case from a reason without a full stop. */
export type Refuse = (reason: string) => AppError;

type Owners = Pick<CatalogStore, 'ownersOf'>;

/**
 * Finds the account that an operator named: `advertiser:adv_x`, `publisher:pub_x`, `platform`, `deposits`, `payouts`, or the
 * id of an owner alone. An owner that was removed from the catalog still has an account. Errors: `refuse`, `unavailable`.
 * Contract: docs/contract/operator-interface.md#names-of-accounts.
 */
export async function findAccount(store: Owners, text: string, refuse: Refuse): Promise<Account> {
  const typed = readTyped('account', text);
  if ('fault' in typed) throw refuse(typed.fault);
  const name = readAccountName(typed.text);
  if (name === null) {
    throw refuse(
      `account ${text} is not of the form advertiser:ID, publisher:ID, platform, deposits, payouts or an id alone`,
    );
  }
  if (name.kind !== null && !isOwned(name)) return name;
  const owners = (await store.ownersOf(name.id)).filter((kind) => name.kind === null || kind === name.kind);
  const [kind, other] = owners;
  if (kind === undefined) throw refuse(`there is no ${name.kind ?? 'account'} ${name.id}`);
  if (other === undefined) return { kind, id: name.id };
  throw refuse(
    `${name.id} is an advertiser and a publisher: write advertiser:${name.id} or publisher:${name.id}`,
  );
}

/** Finds an account of an advertiser or publisher, see {@link findAccount}. `only`: of one of them. */
export async function findOwnedAccount(
  store: Owners,
  text: string,
  refuse: Refuse,
  only?: OwnedAccount['kind'],
): Promise<OwnedAccount> {
  const named = only !== undefined && !text.includes(':') ? `${only}:${text}` : text;
  const account = await findAccount(store, named, refuse);
  if (isOwned(account) && (only === undefined || account.kind === only)) return account;
  throw refuse(
    `${accountText(account)} is not the account of ${only === undefined ? 'an owner' : `a ${only}`}`,
  );
}

function isOwned(account: Account): account is OwnedAccount {
  return account.kind === 'advertiser' || account.kind === 'publisher';
}
