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

/**
 * The no-fill reason that the switches of a slot give. Null: the request goes on to the fraud cap. A switch of the
 * whole app comes before the state of the placement. Contract: docs/contract/order-of-checks.md#adsrequest,
 * docs/contract/sessions-and-switches.md#kill-switch.
 */
export function switchedOff(
  catalog: CatalogReader,
  slot: Slot,
  request: Pick<AdRequest, 'isNoFillForced'>,
): NoFillReason | null {
  if (request.isNoFillForced) return 'test_no_fill';
  if (!catalog.global.isServingEnabled) return 'serving_disabled';
  if (!slot.publisher.isServingEnabled || !slot.app.isServingEnabled) return 'serving_disabled';
  if (slot.app.isBlocked) return 'serving_disabled';
  if (!slot.publisher.isApproved && !slot.isTest) return 'serving_disabled';
  const { isPaused, isEnabled, isDisabledByAdmin } = slot.placement;
  if (isPaused || !isEnabled || isDisabledByAdmin) return 'placement_disabled';
  return null;
}

/** A no-fill for a slot. */
export function noFillAt(slot: Slot, reason: NoFillReason): NoFill {
  return { reason, fallback: slot.placement.fallbackProvider };
}
