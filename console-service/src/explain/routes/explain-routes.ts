import { readCountry } from '@placard/service-kit/pure';
import type { Refusal, RoutesOf } from '../../manage/domain/operations.js';
import { readRange } from '../../reports/routes/report-routes.js';
import type { ExplainCampaign } from '../usecase/explain-campaign.js';
import type { ExplainRequests, TryRequest } from '../usecase/explain-requests.js';
import { phoneFaults, readScreen, type PhoneFault, type TriedPhone } from '../domain/tried-request.js';
import { toCampaignExplanation, toRequestExplanation } from './explanation-json.js';

/** What the routes need. */
export interface ExplainRoutesDeps {
  readonly explainCampaign: ExplainCampaign;
  readonly explanations: ExplainRequests;
  /** A code of ISO 4217. */
  readonly currency: string;
}

/** Where campaigns lose ad requests. Contract: docs/contract/explanations.md#explanations. */
export function explainRoutes({
  explainCampaign,
  explanations,
  currency,
}: ExplainRoutesDeps): RoutesOf<'explainCampaign' | 'explainRequest' | 'tryRequest'> {
  return {
    explainCampaign: async ({ path: { id }, query }) => {
      const range = readRange(query, 'The explanation');
      if ('refusal' in range) return range;
      const explained = await explainCampaign({ campaignId: id, ...range });
      return { body: toCampaignExplanation(id, explained, query.by === 'hour') };
    },
    explainRequest: async ({ path: { id } }) => ({
      body: toRequestExplanation(await explanations.request(id), currency),
    }),
    tryRequest: async ({ query }) => {
      const faults = phoneFaults(query);
      if (faults.length > 0) return { refusal: refusalOf(faults) };
      return { body: toRequestExplanation(await explanations.try(toTry(query)), currency) };
    },
  };
}

function refusalOf(errors: readonly PhoneFault[]): Refusal {
  const faults = errors.map(({ field, value, detail }) => `${field} ${value} ${detail}`);
  return { detail: `The explanation is refused: ${faults.join('; ')}.`, errors };
}

interface TryQuery extends TriedPhone {
  readonly app: string;
  readonly placement: string;
}

function toTry({
  app,
  placement,
  country,
  language,
  android_version: androidVersion,
  screen,
}: TryQuery): TryRequest {
  const { width, height } = (screen === undefined ? null : readScreen(screen)) ?? {};
  return {
    appId: app,
    placement,
    country: country === undefined ? undefined : (readCountry(country) ?? undefined),
    language,
    androidVersion,
    screenWidth: width,
    screenHeight: height,
  };
}
