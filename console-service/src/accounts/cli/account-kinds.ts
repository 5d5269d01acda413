import { AccountKind } from '@placard/protos/events/v1/events.js';

/** Kinds of accounts as operators read them. Contract: docs/contract/operator-interface.md#ledger-balances. */
export const KIND_NAMES: Readonly<Record<AccountKind, string>> = {
  [AccountKind.UNSPECIFIED]: 'unknown',
  [AccountKind.ADVERTISER]: 'advertiser',
  [AccountKind.PUBLISHER]: 'publisher',
  [AccountKind.PLATFORM]: 'platform',
  [AccountKind.DEPOSITS]: 'deposits',
};
