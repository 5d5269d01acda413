import { appError } from '@placard/service-kit';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import type { JudgeTraffic } from '../usecase/judge-traffic.js';
import type { RecordSuspiciousEvents } from '../usecase/record-suspicious-events.js';
import { fromAdRequest, fromEventToJudge, fromSuspiciousEvent } from './wire.js';

/** Most events in one call. */
export const EVENTS_PER_CALL_MAX = 1_000;

/** The use cases of FraudService. */
export interface FraudUseCases {
  readonly judge: JudgeTraffic;
  readonly recordSuspiciousEvents: RecordSuspiciousEvents;
}

/**
 * FraudService on the wire. Errors: `invalid_argument` (a wrong field or too many events), `unavailable` (the store of
 * the method cannot be reached).
 */
export function implementFraudService(useCases: FraudUseCases): ImplementedService {
  return implementService(FraudServiceService, {
    async judgeAdRequest(request) {
      const verdict = await useCases.judge(fromAdRequest(request));
      return { passes: verdict === null };
    },
    async judgeEvents(request) {
      // All events are decoded before the first is judged, so that an invalid call counts nothing.
      const events = bounded(request.events).map(fromEventToJudge);
      const verdicts = await Promise.all(events.map(useCases.judge));
      return { judgements: verdicts.map((verdict) => ({ passes: verdict === null, rule: verdict ?? '' })) };
    },
    async recordSuspiciousEvents(request) {
      await useCases.recordSuspiciousEvents(bounded(request.events).map(fromSuspiciousEvent));
      return {};
    },
  });
}

function bounded<T>(events: readonly T[]): readonly T[] {
  if (events.length <= EVENTS_PER_CALL_MAX) return events;
  throw appError('invalid_argument', `A call carries at most ${EVENTS_PER_CALL_MAX} events.`);
}
