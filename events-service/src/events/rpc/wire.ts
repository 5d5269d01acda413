import type { FallbackReason as WireReason } from '@placard/protos/events/v1/events.js';
import { appError } from '@placard/service-kit';
import { fallbackReasonOnWire } from '@placard/service-kit/wire';
import type { FallbackReason } from '../domain/fallback.js';

/** A fallback reason from the wire. Error `invalid_argument` for one that this release does not have. */
export function fromWireReason(reason: WireReason): FallbackReason {
  const known = fallbackReasonOnWire.fromWire(reason);
  if (known === null) throw appError('invalid_argument', 'The fallback reason is missing or unknown.');
  return known;
}
