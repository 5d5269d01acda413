import type { FallbackReason as WireReason } from '@placard/protos/events/v1/events.js';
import { appError } from '@placard/service-kit';
import { fallbackReasonOnWire } from '@placard/service-kit/wire';
import type { FallbackReason } from '../domain/fallback.js';

/** Error `invalid_argument` for what this release does not know. */
export function fromWireReason(reason: WireReason): FallbackReason {
  const known = fallbackReasonOnWire.fromWire(reason);
  if (known === null) throw appError('invalid_argument', 'The fallback reason is missing or unknown.');
  return known;
}
