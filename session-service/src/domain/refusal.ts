import type { App } from '@placard/service-kit/pure';

/** What a client says of itself when it starts a session. */
export interface Claimed {
  readonly packageName: string;
  readonly isTestMode: boolean;
}

/** Why a session is not started. */
export type Refusal = 'invalid_app_key' | 'package_mismatch' | 'app_not_approved';

/**
 * The first reason to refuse a session, in the order of the contract. Null: it may start.
 * Contract: docs/contract/sdk-api.md#authentication, docs/contract/order-of-checks.md#initialize.
 */
export function refusalOf(app: App | undefined, claimed: Claimed): Refusal | null {
  if (app === undefined) return 'invalid_app_key';
  if (app.packageName !== claimed.packageName) return 'package_mismatch';
  if (!app.isApproved && !claimed.isTestMode) return 'app_not_approved';
  return null;
}
