import { EventsServiceService } from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { asPlacementCode } from '@placard/service-kit/pure';
import { eventVerdictOnWire } from '@placard/service-kit/wire';
import type { RecordEvent } from '../usecase/record-event.js';
import type { RecordFallback } from '../usecase/record-fallback.js';
import { fromWireReason } from './wire.js';

/** What EventsService does. */
export interface EventsUseCases {
  readonly recordEvent: RecordEvent;
  readonly recordFallback: RecordFallback;
}

/** EventsService on the wire. Contract: docs/contract/sdk-api.md#events. */
export function implementEventsService({ recordEvent, recordFallback }: EventsUseCases): ImplementedService {
  return implementService(EventsServiceService, {
    async recordImpression({ requestId, impressionToken }, call) {
      const verdict = await recordEvent(
        { type: 'impression', requestId, impressionToken, completion: null },
        call,
      );
      return { verdict: eventVerdictOnWire.toWire(verdict) };
    },
    async recordClick({ requestId, impressionToken }, call) {
      const verdict = await recordEvent(
        { type: 'click', requestId, impressionToken, completion: null },
        call,
      );
      return { verdict: eventVerdictOnWire.toWire(verdict) };
    },
    async recordReward({ requestId, impressionToken, completion }, call) {
      const verdict = await recordEvent({ type: 'reward', requestId, impressionToken, completion }, call);
      return { verdict: eventVerdictOnWire.toWire(verdict) };
    },
    async recordFallback({ sessionToken, placement, reason, country }) {
      await recordFallback({
        sessionToken,
        placement: asPlacementCode(placement),
        reason: fromWireReason(reason),
        country: country ?? null,
      });
      return {};
    },
  });
}
