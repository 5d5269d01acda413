import { formatNanos, toIso } from '@placard/service-kit/pure';
import { capPeriodFromWire } from '@placard/service-kit/wire';
import { textOrNull } from '../../domain/text-or-null.js';
import type { Schemas } from '../../manage/domain/operations.js';
import type { Funnel } from '../domain/funnel.js';
import type { CampaignExplanation } from '../usecase/explain-campaign.js';
import type { ExplainedCandidate, ExplainedRequest } from '../usecase/explain-requests.js';

/** The funnel of a campaign in its documented shape, with its hours when they are asked for. */
export function toCampaignExplanation(
  campaign: string,
  explained: CampaignExplanation,
  isByHour: boolean,
): Schemas['CampaignExplanation'] {
  const funnel = {
    campaign,
    as_of: toIso(explained.asOfMs),
    from: toIso(explained.fromMs),
    to: toIso(explained.toMs),
    ...toFunnelJson(explained),
  };
  if (!isByHour) return funnel;
  return {
    ...funnel,
    hours: explained.hours.map((hour) => ({ hour: toIso(hour.atMs), ...toFunnelJson(hour) })),
  };
}

/** The explanation of a request in its documented shape. `currency`: a code of ISO 4217. */
export function toRequestExplanation(
  request: ExplainedRequest,
  currency: string,
): Schemas['RequestExplanation'] {
  return {
    request_id: textOrNull(request.requestId),
    at: toIso(Number(request.atMs)),
    app: request.appId,
    placement: request.placement,
    result: request.result,
    winner: textOrNull(request.winner),
    currency,
    candidates: request.candidates.map(toCandidate),
    candidate_count: request.candidateCount,
  };
}

function toFunnelJson({
  sampled,
  steps,
  candidates,
  fills,
  impressions,
  clicks,
  outbidBy,
}: Funnel): Schemas['Funnel'] {
  return { sampled, steps, candidates, fills, impressions, clicks, outbid_by: outbidBy };
}

function toCandidate(candidate: ExplainedCandidate): Schemas['ExplainedCandidate'] {
  return {
    campaign: candidate.campaignId,
    lost_at: textOrNull(candidate.lostAt),
    why: candidate.why,
    price: formatNanos(candidate.costNanos),
    cap: toCap(candidate),
    budget_total: amountOrNull(candidate.budgetTotalNanos),
    budget_total_left: amountOrNull(candidate.budgetTotalLeftNanos),
    budget_daily: amountOrNull(candidate.budgetDailyNanos),
    budget_daily_left: amountOrNull(candidate.budgetDailyLeftNanos),
  };
}

function toCap({ cap, capUsed }: ExplainedCandidate): Schemas['ExplainedCandidate']['cap'] {
  if (cap === undefined) return null;
  return { count: cap.count, period: capPeriodFromWire(cap.period) ?? 'unknown', used: capUsed ?? null };
}

function amountOrNull(nanos: bigint | undefined): string | null {
  return nanos === undefined ? null : formatNanos(nanos);
}
