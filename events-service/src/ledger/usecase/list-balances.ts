import type { AdvertiserId, PublisherId } from '@placard/service-kit/pure';
import type { AccountBalance, LedgerStore } from '../store/ledger.js';

/** Accounts that are listed at zero when they have no entries. */
export interface NamedAccounts {
  readonly advertiserIds: readonly AdvertiserId[];
  readonly publisherIds: readonly PublisherId[];
}

/** The balance of every account, and the sum of all, nano-units. */
export interface Balances {
  readonly accounts: readonly AccountBalance[];
  readonly sumNanos: bigint;
}

/** Lists {@link Balances}. Error `unavailable`. */
export type ListBalances = (named: NamedAccounts) => Promise<Balances>;

/** Makes {@link ListBalances}. Contract: docs/contract/operator-interface.md#ledger-balances. */
export function makeListBalances(store: Pick<LedgerStore, 'balances'>): ListBalances {
  return async (named) => {
    const accounts = await store.balances(named);
    return { accounts, sumNanos: accounts.reduce((sum, account) => sum + account.balanceNanos, 0n) };
  };
}
