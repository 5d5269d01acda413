import type { CatalogReader, SessionClaims } from '@placard/service-kit/pure';
import type { AdRequest, NoFill, NoFillReason, Slot } from '../../domain/ad-request.js';

/** Errors of an ad request before selection, in the order of the checks. */
export type RequestFault =
  | 'invalid_session'
  | 'session_expired'
  | 'invalid_app_key'
  | 'package_mismatch'
  | 'app_not_approved'
  | 'placement_not_found'
  | 'format_mismatch';

/** The result of the checks: an error, or the slot of the request. */
export type SlotFinding =
  { readonly kind: 'fault'; readonly fault: RequestFault } | { readonly kind: 'slot'; readonly slot: Slot };

function fault(name: RequestFault): SlotFinding {
  return { kind: 'fault', fault: name };
}

/**
 * Steps 1 and 2 up to the format of the placement. `claims` is null for a token that cannot be opened.
 * Contract: docs/contract/selection.md#selection-order, docs/contract/order-of-checks.md#adsrequest.
 */
export function findSlot(
  catalog: CatalogReader,
  claims: SessionClaims | null,
  request: AdRequest,
  nowMs: number,
): SlotFinding {
  if (claims === null) return fault('invalid_session');
  if (nowMs >= claims.expiresAtMs) return fault('session_expired');
  const app = catalog.appByKey(request.appKey);
  const publisher = app && catalog.publisher(app.publisherId);
  if (app === undefined || publisher === undefined) return fault('invalid_app_key');
  if (claims.appId !== app.id) return fault('invalid_session');
  if (claims.packageName !== app.packageName) return fault('package_mismatch');
  const isTest = claims.isTest || request.isTestMode;
  if (!app.isApproved && !isTest) return fault('app_not_approved');
  const placement = catalog.placement(app.id, request.placement);
  if (placement === undefined) return fault('placement_not_found');
  if (placement.format !== request.format) return fault('format_mismatch');
  return { kind: 'slot', slot: { publisher, app, placement, isTest } };
}

/** What ends a request before the fraud cap: a switch of its slot, or a forced no-fill. */
export type OffSwitch =
  | 'forced'
  | 'global'
  | 'publisher'
  | 'app'
  | 'blocked_app'
  | 'unapproved_publisher'
  | 'paused_placement'
  | 'placement'
  | 'placement_by_admin';

/**
 * The first switch that ends a request. Null: the request goes on to the fraud cap. A switch of the whole app comes before
 * the state of the placement. Contract: docs/contract/order-of-checks.md#adsrequest,
 * docs/contract/sessions-and-switches.md#kill-switch.
 */
export function offSwitchOf(
  catalog: CatalogReader,
  { publisher, app, placement, isTest }: Slot,
  request: Pick<AdRequest, 'isNoFillForced'>,
): OffSwitch | null {
  if (request.isNoFillForced) return 'forced';
  if (!catalog.global.isServingEnabled) return 'global';
  if (!publisher.isServingEnabled) return 'publisher';
  if (!app.isServingEnabled) return 'app';
  if (app.isBlocked) return 'blocked_app';
  if (!publisher.isApproved && !isTest) return 'unapproved_publisher';
  if (placement.isPaused) return 'paused_placement';
  if (!placement.isEnabled) return 'placement';
  return placement.isDisabledByAdmin ? 'placement_by_admin' : null;
}

const OFF_REASONS: Readonly<Record<OffSwitch, NoFillReason>> = {
  forced: 'test_no_fill',
  global: 'serving_disabled',
  publisher: 'serving_disabled',
  app: 'serving_disabled',
  blocked_app: 'serving_disabled',
  unapproved_publisher: 'serving_disabled',
  paused_placement: 'placement_disabled',
  placement: 'placement_disabled',
  placement_by_admin: 'placement_disabled',
};

/** The no-fill reason that a switch gives. */
export function offReason(off: OffSwitch): NoFillReason {
  return OFF_REASONS[off];
}

/** A no-fill for a slot. */
export function noFillAt(slot: Slot, reason: NoFillReason): NoFill {
  return { reason, fallback: slot.placement.fallbackProvider };
}
