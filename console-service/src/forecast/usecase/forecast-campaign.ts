import { appError } from '@placard/service-kit';
import { dayOf, type App, type CampaignId, type CatalogReader, type Clock } from '@placard/service-kit/pure';
import type { ForecastFigures } from '../clients/forecast-figures.js';
import { FORECAST_DAYS_MAX, forecastPlan, HISTORY_DAYS_MIN, type Forecast } from '../domain/forecast.js';
import {
  NOTHING_SPENT,
  planOf,
  planOfCampaign,
  segmentOf,
  type PlannedCampaign,
} from '../domain/planned-campaign.js';

/** A forecast, and the planned fields that it leaves out. */
export interface CampaignForecast extends Forecast {
  readonly ignored: readonly string[];
}

/**
 * Forecasts a planned campaign, or one of the catalog by its id with what is left of its budgets. Errors: `not_found` (there
 * is no such campaign), `invalid_argument` (its time cannot be forecast), `failed_precondition` (the history is too short, or
 * the campaign has no creative of a format that it targets), `unavailable`, `deadline_exceeded`.
 */
export type ForecastCampaign = (planned: PlannedCampaign | CampaignId) => Promise<CampaignForecast>;

/** What {@link makeForecastCampaign} needs. */
export interface ForecastCampaignDeps extends ForecastFigures {
  readonly readCatalog: () => { readonly catalog: CatalogReader; readonly apps: readonly App[] };
  readonly clock: Clock;
}

/** Whole days before today that a forecast rests on: four of each weekday. */
const HISTORY_DAYS = 28;

/** Makes {@link ForecastCampaign}. */
export function makeForecastCampaign(deps: ForecastCampaignDeps): ForecastCampaign {
  const { fetchAuctions, fetchSpent, readCatalog, clock } = deps;
  return async (asked) => {
    const { catalog, apps } = readCatalog();
    const planned = typeof asked === 'string' ? named(catalog, asked) : asked;
    const nowMs = clock.now();
    const today = dayOf(nowMs);
    const { campaignId } = planned;
    const spent = campaignId === null ? NOTHING_SPENT : await fetchSpent(campaignId, today);
    const plan = planOf(planned, spent, nowMs);
    if (plan === null) {
      throw appError(
        'invalid_argument',
        `The campaign is over, or runs for more than ${FORECAST_DAYS_MAX} days. Give another ends_at.`,
      );
    }
    const segment = segmentOf(planned, apps);
    if (segment === null)
      throw appError('invalid_argument', 'No app matches app_ids and app_categories. Change one of them.');
    const history = await fetchAuctions({ fromDay: today - HISTORY_DAYS, toDay: today }, segment);
    const forecast = forecastPlan(history, plan);
    if (forecast === null) {
      throw appError(
        'failed_precondition',
        `A forecast needs ${HISTORY_DAYS_MIN} whole days with matching requests; there are ${history.length}. Try again later, or plan for more traffic.`,
      );
    }
    return { ...forecast, ignored: planned.ignored };
  };
}

function named(catalog: CatalogReader, id: CampaignId): PlannedCampaign {
  const campaign = catalog.campaign(id);
  if (campaign === undefined) throw appError('not_found', `There is no campaign ${id}.`);
  const formats = new Set(catalog.creativesOf(id).map(({ format }) => format));
  const planned = planOfCampaign(campaign, [...formats]);
  if (planned !== null) return planned;
  throw appError(
    'failed_precondition',
    `Campaign ${id} has no creative of a format that it targets. Add one, and forecast it then.`,
  );
}
