import { readCountry } from '@placard/service-kit/pure';
import type { Refusal, RoutesOf } from '../../manage/domain/operations.js';
import { readRange } from '../../reports/routes/report-routes.js';
import type { ExplainCampaign } from '../usecase/explain-campaign.js';
import type { ExplainRequests, TryRequest } from '../usecase/explain-requests.js';
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
      const { country } = query;
      if (country !== undefined && readCountry(country) === null) return unknownCountry(country);
      return { body: toRequestExplanation(await explanations.try(toTry(query)), currency) };
    },
  };
}

function unknownCountry(value: string): { readonly refusal: Refusal } {
  const detail = 'is not a country of ISO 3166-1';
  return {
    refusal: {
      detail: `The explanation is refused: country ${value} ${detail}.`,
      errors: [{ field: 'country', value, detail }],
    },
  };
}

interface TryQuery {
  readonly app: string;
  readonly placement: string;
  readonly country?: string;
  readonly language?: string;
  readonly android_version?: string;
  readonly screen?: string;
}

function toTry({
  app,
  placement,
  country,
  language,
  android_version: androidVersion,
  screen,
}: TryQuery): TryRequest {
  const [width, height] = screen?.split('x').map(Number) ?? [];
  return {
    appId: app,
    placement,
    country,
    language,
    androidVersion,
    screenWidth: width,
    screenHeight: height,
  };
}
