import { FallbackReason as WireReason } from '@placard/protos/events/v1/events.js';
import { appError } from '@placard/service-kit';
import { fallbackReasonOnWire } from '@placard/service-kit/wire';
import type { FallbackReason } from '../domain/fallback.js';

/**
 * A fallback reason from the wire; `error` for a reason of a newer release. Error `invalid_argument` when it is missing.
 * Contract: docs/contract/newer-values.md#between-services.
 */
export function fromWireReason(reason: WireReason): FallbackReason {
  if (reason === WireReason.UNSPECIFIED)
    throw appError('invalid_argument', 'The fallback reason is missing.');
  return fallbackReasonOnWire.fromWire(reason) ?? 'error';
}
