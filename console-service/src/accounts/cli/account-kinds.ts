import type { AccountKind } from '@placard/protos/events/v1/events.js';
import { accountKindOnWire } from '@placard/service-kit/wire';

/** A kind of accounts as operators read it. Contract: docs/contract/operator-interface.md#ledger-balances. */
export function kindName(kind: AccountKind): string {
  return accountKindOnWire.fromWire(kind) ?? 'unknown';
}
