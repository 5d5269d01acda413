import type {
  ExplainedCandidate as WireCandidate,
  ExplainedRequest as WireRequest,
} from '@placard/protos/explain/v1/explain.js';
import { adFormatToWire, capPeriodToWire } from '@placard/service-kit/wire';
import type { ExplainedCandidate, ExplainedRequest } from '../domain/explained-request.js';

/** Encodes an explanation. */
export function toWireExplained(request: ExplainedRequest): WireRequest {
  return {
    requestId: request.requestId ?? '',
    atMs: BigInt(request.atMs),
    appId: request.appId,
    placement: request.placement,
    format: adFormatToWire(request.format),
    result: request.result,
    winner: request.winner ?? '',
    candidates: request.candidates.map(toWireCandidate),
    candidateCount: request.candidateCount,
  };
}

function toWireCandidate({ lostAt, cap, capUsed, left, ...candidate }: ExplainedCandidate): WireCandidate {
  return {
    campaignId: candidate.campaignId,
    lostAt: lostAt ?? '',
    why: candidate.why,
    costNanos: candidate.costNanos,
    budgetTotalNanos: candidate.budgetTotalNanos ?? undefined,
    budgetDailyNanos: candidate.budgetDailyNanos ?? undefined,
    budgetTotalLeftNanos: left.totalNanos ?? undefined,
    budgetDailyLeftNanos: left.dailyNanos ?? undefined,
    capUsed: capUsed ?? undefined,
    cap: cap === null ? undefined : { count: cap.count, period: capPeriodToWire(cap.period) },
  };
}
