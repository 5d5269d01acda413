import type { CampaignId } from '@placard/service-kit/pure';
import type { Explanations } from '../../explain/clients/explanations.js';
import { toFunnel } from '../../explain/domain/funnel.js';
import type { LostRequests } from '../domain/reach-reason.js';
import type { HourRange } from './delivery.js';

/** Reads the ad requests that a campaign lost in a range, by step. Errors: `unavailable`, `deadline_exceeded`. */
export type FetchLosses = (campaignId: CampaignId, range: HourRange) => Promise<LostRequests>;

/** Makes {@link FetchLosses} from the funnels of events-service. */
export function makeFetchLosses({ funnel }: Pick<Explanations, 'funnel'>): FetchLosses {
  return async (campaignId, range) => {
    const { hours } = await funnel({ campaignId, ...range });
    return new Map(toFunnel(hours).steps.map(({ step, lost }) => [step, lost] as const));
  };
}
