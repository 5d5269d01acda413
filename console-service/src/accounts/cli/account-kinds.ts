import type { AccountKind } from '@placard/protos/events/v1/events.js';
import { accountKindOnWire } from '@placard/service-kit/wire';

/** The name of a kind of accounts for operators. Contract: docs/contract/operator-interface.md#ledger-balances. */
export function kindName(kind: AccountKind): string {
  return accountKindOnWire.fromWire(kind) ?? 'unknown';
}
