import { appError, implementService, type ImplementedService } from '@placard/service-kit';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import type { JudgeAdRequest } from '../usecase/judge-ad-request.js';
import type { JudgeEvents } from '../usecase/judge-events.js';
import type { RecordSuspiciousEvents } from '../usecase/record-suspicious-events.js';
import { fromAdRequest, fromEventToJudge, fromSuspiciousEvent } from './from-wire.js';

/** Events that one call may carry. */
export const EVENTS_PER_CALL_MAX = 1_000;

/** What FraudService does. */
export interface FraudUseCases {
  readonly judgeAdRequest: JudgeAdRequest;
  readonly judgeEvents: JudgeEvents;
  readonly recordSuspiciousEvents: RecordSuspiciousEvents;
}

/**
 * FraudService on the wire. Errors: `invalid_argument` (a field is wrong, too many events), `unavailable` (the store that the
 * method needs is away).
 */
export function implementFraudService(useCases: FraudUseCases): ImplementedService {
  return implementService(FraudServiceService, {
    async judgeAdRequest(request) {
      const verdict = await useCases.judgeAdRequest(fromAdRequest(request));
      return { passes: verdict === null };
    },
    async judgeEvents(request) {
      const verdicts = await useCases.judgeEvents(bounded(request.events).map(fromEventToJudge));
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
