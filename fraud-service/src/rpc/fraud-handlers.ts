import { appError } from '@placard/service-kit';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import type { Verdict } from '../domain/judgement.js';
import type { EventToJudge } from '../domain/traffic.js';
import type { CountSuspiciousEvents } from '../usecase/count-suspicious-events.js';
import type { FindSuspiciousEvents } from '../usecase/find-suspicious-events.js';
import type { JudgeTraffic } from '../usecase/judge-traffic.js';
import type { RecordSuspiciousEvents } from '../usecase/record-suspicious-events.js';
import {
  fromAdRequest,
  fromCountRequest,
  fromEventToJudge,
  fromFindRequest,
  fromSuspiciousEvent,
  toSuspiciousRow,
} from './wire.js';

/** Most events in one call. */
export const EVENTS_PER_CALL_MAX = 1_000;

/** The use cases of FraudService. */
export interface FraudUseCases {
  readonly judge: JudgeTraffic;
  readonly recordSuspiciousEvents: RecordSuspiciousEvents;
  readonly findSuspiciousEvents: FindSuspiciousEvents;
  readonly countSuspiciousEvents: CountSuspiciousEvents;
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
      const judge = async (event: EventToJudge | null): Promise<Verdict> =>
        event === null ? null : useCases.judge(event);
      const verdicts = await Promise.all(events.map(judge));
      return { judgements: verdicts.map((verdict) => ({ passes: verdict === null, rule: verdict ?? '' })) };
    },
    async recordSuspiciousEvents(request) {
      await useCases.recordSuspiciousEvents(bounded(request.events).map(fromSuspiciousEvent));
      return {};
    },
    async findSuspiciousEvents(request) {
      const events = await useCases.findSuspiciousEvents(fromFindRequest(request));
      return { events: events.map(({ rule, event, atMs }) => ({ rule, event, atMs: BigInt(atMs) })) };
    },
    async countSuspiciousEvents(request) {
      const { rows, rowsLeftOut } = await useCases.countSuspiciousEvents(fromCountRequest(request));
      return { rows: rows.map(toSuspiciousRow), rowsLeftOut: BigInt(rowsLeftOut) };
    },
  });
}

function bounded<T>(events: readonly T[]): readonly T[] {
  if (events.length <= EVENTS_PER_CALL_MAX) return events;
  throw appError('invalid_argument', `A call carries at most ${EVENTS_PER_CALL_MAX} events.`);
}
