import { appError } from '@placard/service-kit';
import { HOUR_MS, type Clock } from '@placard/service-kit/pure';
import { reportRange, type AskedRange, type ReportRange } from '../../reports/domain/report-range.js';
import { UTC } from '../../reports/domain/zone.js';
import type { Explanations } from '../clients/explanations.js';
import { toFunnel, type Funnel } from '../domain/funnel.js';

/** A campaign and a range of UTC. Null: the default, as in a report. */
export interface CampaignQuestion extends AskedRange {
  readonly campaignId: string;
}

/** The funnel of a campaign over a range of whole hours, and of each hour with any count. */
export interface CampaignExplanation extends ReportRange, Funnel {
  readonly asOfMs: number;
  readonly hours: readonly (Funnel & { readonly atMs: number })[];
}

/** Explains a campaign. Errors: `invalid_argument` (an empty range), `not_found`, `unavailable`. */
export type ExplainCampaign = (question: CampaignQuestion) => Promise<CampaignExplanation>;

/** What {@link ExplainCampaign} needs. */
export interface ExplainCampaignDeps {
  readonly explanations: Pick<Explanations, 'funnel'>;
  /** Whether the catalog has the campaign. */
  readonly hasCampaign: (id: string) => Promise<boolean>;
  readonly clock: Clock;
}

/** Makes {@link ExplainCampaign}. Contract: docs/contract/explanations.md#funnel. */
export function makeExplainCampaign({
  explanations,
  hasCampaign,
  clock,
}: ExplainCampaignDeps): ExplainCampaign {
  return async ({ campaignId, from, to }) => {
    const range = reportRange({ from, to }, UTC, clock.now());
    if (range === null)
      throw appError('invalid_argument', 'The range is empty. It must begin before it ends.');
    const { asOfMs, hours } = await explanations.funnel({ campaignId, ...range });
    if (hours.length === 0 && !(await hasCampaign(campaignId)))
      throw appError('not_found', `There is no campaign ${campaignId}.`);
    return {
      asOfMs,
      ...range,
      ...toFunnel(hours),
      hours: hours.map((hour) => ({ atMs: Number(hour.hour) * HOUR_MS, ...toFunnel([hour]) })),
    };
  };
}
