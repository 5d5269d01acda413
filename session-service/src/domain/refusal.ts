import type { App } from '@placard/service-kit/pure';

/** The claims of a client that starts a session. */
export interface Claimed {
  readonly packageName: string;
  readonly isTestMode: boolean;
}

/** The reason why a session is refused. */
export type Refusal = 'invalid_app_key' | 'package_mismatch' | 'app_not_approved';

/**
 * The first reason to refuse a session, in the order of the contract. Null: the session may start.
 * Contract: docs/contract/sdk-api.md#authentication, docs/contract/order-of-checks.md#initialize.
 */
export function refusalOf(app: App | undefined, claimed: Claimed): Refusal | null {
  if (app === undefined) return 'invalid_app_key';
  if (app.packageName !== claimed.packageName) return 'package_mismatch';
  if (!app.isApproved && !claimed.isTestMode) return 'app_not_approved';
  return null;
}
