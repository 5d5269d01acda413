import { asAppId, asCampaignId, dayToIso, formatNanos, parseAmount } from '@placard/service-kit/pure';
import { parseInstant } from '../../domain/instant.js';
import type { FieldError, RoutesOf, Schemas } from '../../manage/domain/operations.js';
import type { PlannedCampaign } from '../domain/planned-campaign.js';
import type { CampaignForecast, ForecastCampaign } from '../usecase/forecast-campaign.js';

/** The bid in micro-units is the price of one impression in nano-units. Contract: docs/contract/money.md#unit. */
const MICROS = 1_000n;
const BID_DECIMALS_MAX = 6;
const BID_MAX_NANOS = 10_000_000_000_000n;

/** What the routes need. */
export interface ForecastRoutesDeps {
  readonly forecastCampaign: ForecastCampaign;
  /** A code of ISO 4217. */
  readonly currency: string;
}

/** The forecast of a campaign. Contract: docs/contract/operator-interface.md#forecast. */
export function forecastRoutes({
  forecastCampaign,
  currency,
}: ForecastRoutesDeps): RoutesOf<'forecastCampaign'> {
  return {
    forecastCampaign: async ({ body: { campaign, plan } }) => {
      if (plan === undefined)
        return { body: toForecast(await forecastCampaign(asCampaignId(campaign ?? '')), currency) };
      const errors: FieldError[] = [];
      const planned = readPlan(plan, (error) => errors.push(error));
      if (errors.length > 0) return { refusal: { detail: 'The plan is refused.', errors } };
      return { body: toForecast(await forecastCampaign(planned), currency) };
    },
  };
}

function readPlan(plan: Schemas['Plan'], report: (error: FieldError) => void): PlannedCampaign {
  const amount = (field: 'budget_daily' | 'budget_total'): bigint | null => {
    const value = plan[field];
    if (value === undefined) return null;
    const nanos = parseAmount(value);
    if (nanos !== null && nanos > 0n) return nanos;
    report({ field: `plan.${field}`, value, detail: 'must be a decimal above 0 with at most 9 decimals' });
    return null;
  };
  const instant = (field: 'starts_at' | 'ends_at'): number | null => {
    const value = plan[field];
    if (value === undefined) return null;
    const atMs = parseInstant(value);
    if (atMs !== null) return atMs;
    report({ field: `plan.${field}`, value, detail: 'must be an instant such as 2026-01-31T10:00:00Z' });
    return null;
  };
  const bidNanos = parseAmount(plan.bid_cpm, BID_DECIMALS_MAX);
  if (bidNanos === null || bidNanos <= 0n || bidNanos > BID_MAX_NANOS) {
    const detail = 'must be a decimal above 0, at most 10000, with at most 6 decimals';
    report({ field: 'plan.bid_cpm', value: plan.bid_cpm, detail });
  }
  return {
    costNanos: (bidNanos ?? 0n) / MICROS,
    budgetDailyNanos: amount('budget_daily'),
    budgetTotalNanos: amount('budget_total'),
    startsAtMs: instant('starts_at'),
    endsAtMs: instant('ends_at'),
    countries: plan.countries ?? [],
    formats: plan.formats ?? [],
    appIds: (plan.app_ids ?? []).map(asAppId),
    appCategories: plan.app_categories ?? [],
    ignored: [],
    campaignId: null,
  };
}

function toForecast({ historyDays, ignored, days }: CampaignForecast, currency: string): Schemas['Forecast'] {
  const sum = (read: (day: (typeof days)[number]) => number): number =>
    days.reduce((total, day) => total + read(day), 0);
  return {
    history_days: historyDays,
    ignored,
    currency,
    days: days.map(({ day, requests, fills, impressions, spendNanos }) => ({
      day: dayToIso(day),
      requests,
      fills,
      impressions,
      spend: formatNanos(spendNanos),
    })),
    total: {
      requests: sum(({ requests }) => requests),
      fills: sum(({ fills }) => fills),
      impressions: sum(({ impressions }) => impressions),
      spend: formatNanos(days.reduce((total, { spendNanos }) => total + spendNanos, 0n)),
    },
  };
}
