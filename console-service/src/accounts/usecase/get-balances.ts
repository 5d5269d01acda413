import type { Balances, Ledger } from '../clients/ledger.js';
import type { CatalogStore } from '../../catalog/store/catalog-store.js';
import type { BookUnbooked } from './book-unbooked.js';

export type { Balances };

/** The balance of every account, also at zero. Contract: docs/contract/operator-interface.md#ledger-balances. */
export type GetBalances = () => Promise<Balances>;

/** What {@link GetBalances} needs. */
export interface GetBalancesDeps {
  readonly store: Pick<CatalogStore, 'readOwnerIds'>;
  readonly ledger: Pick<Ledger, 'listBalances'>;
  readonly bookUnbooked: BookUnbooked;
}

/** Makes {@link GetBalances}. Unbooked deposits and adjustments are booked first. */
export function makeGetBalances({ store, ledger, bookUnbooked }: GetBalancesDeps): GetBalances {
  return async () => {
    await bookUnbooked();
    return ledger.listBalances(await store.readOwnerIds());
  };
}
