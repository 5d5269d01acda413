import { asCampaignId, type CampaignId, type CatalogReader } from '@placard/service-kit/pure';
import type { Concern } from '../domain/concern.js';
import { missingImpressions, reachReason, type LostRequests } from '../domain/reach-reason.js';

/** Most campaigns whose lost requests are read in one look. The others keep the reason `reach`. */
const CAMPAIGNS_MAX = 100;

/** What {@link explainReach} needs. */
export interface ExplainReachDeps {
  readonly catalog: Pick<CatalogReader, 'campaign'>;
  /** Errors: `unavailable`, `deadline_exceeded`. */
  readonly fetchLosses: (campaignId: CampaignId) => Promise<LostRequests>;
}

/**
 * Replaces the reason `reach` by the step at which a campaign loses the requests that it lacks. It reads one campaign
 * after the other, so that a look is no burst of calls. Errors: `unavailable`, `deadline_exceeded`.
 */
export async function explainReach(
  concerns: readonly Concern[],
  { catalog, fetchLosses }: ExplainReachDeps,
): Promise<readonly Concern[]> {
  const reasons = new Map<Concern, Concern['reason']>();
  for (const concern of concerns.filter(({ reason }) => reason === 'reach').slice(0, CAMPAIGNS_MAX)) {
    const campaign = catalog.campaign(asCampaignId(concern.subjectId));
    if (campaign === undefined) continue;
    const missing = missingImpressions(concern.figures, campaign.costNanos);
    reasons.set(concern, reachReason(await fetchLosses(campaign.id), missing));
  }
  return concerns.map((concern) => ({ ...concern, reason: reasons.get(concern) ?? concern.reason }));
}
