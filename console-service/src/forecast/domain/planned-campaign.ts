import {
  DAY_MS,
  dayOf,
  type AdFormat,
  type App,
  type AppId,
  type Campaign,
  type CampaignId,
  type Nanos,
} from '@placard/service-kit/pure';
import { FORECAST_DAYS_MAX, leftOf, type Plan } from './forecast.js';

/** A campaign whose delivery is to be forecast. */
export interface PlannedCampaign extends Pick<
  Campaign,
  | 'costNanos'
  | 'budgetDailyNanos'
  | 'budgetTotalNanos'
  | 'startsAtMs'
  | 'endsAtMs'
  | 'countries'
  | 'appIds'
  | 'appCategories'
> {
  /** The formats that it has ads of. Empty: any. */
  readonly formats: readonly AdFormat[];
  /** What is planned besides, by name of the field: the history does not have it, so the forecast is too high. */
  readonly ignored: readonly string[];
  /** Null: the campaign does not exist yet. */
  readonly campaignId: CampaignId | null;
}

/** What a campaign has spent, in nano-units: ever, and on this UTC day. */
export interface Spent {
  readonly spentNanos: Nanos;
  readonly daySpentNanos: Nanos;
}

/** Of a campaign that does not exist yet, or has never been sold. */
export const NOTHING_SPENT: Spent = { spentNanos: 0n, daySpentNanos: 0n };

/** The requests that a planned campaign competes for. An empty list means any. */
export interface Segment {
  readonly formats: readonly AdFormat[];
  readonly countries: readonly string[];
  readonly appIds: readonly AppId[];
  readonly exceptCampaignId: CampaignId | null;
}

/** The days of a forecast without an end. */
const DAYS_DEFAULT = 7;

/**
 * A campaign of the catalog as a planned one; `formats` are those of its creatives. Null: it has no creative of a format that
 * it targets.
 */
export function planOfCampaign(campaign: Campaign, formats: readonly AdFormat[]): PlannedCampaign | null {
  const targeted =
    campaign.formats.length === 0 ? formats : formats.filter((one) => campaign.formats.includes(one));
  if (targeted.length === 0) return null;
  const ignored = [
    ...(campaign.languages.length > 0 ? ['languages'] : []),
    ...(campaign.androidVersions.length > 0 ? ['android_versions'] : []),
    ...(campaign.frequencyCap === null ? [] : ['frequency_cap']),
  ];
  return { ...campaign, formats: targeted, ignored, campaignId: campaign.id };
}

/** The segment of a planned campaign. Null: no app matches its targeting. */
export function segmentOf(planned: PlannedCampaign, apps: readonly App[]): Segment | null {
  const { appIds, appCategories, formats, countries, campaignId } = planned;
  const isAny = appIds.length === 0 && appCategories.length === 0;
  const matching = apps.filter(({ id, category }) => {
    if (appIds.length > 0 && !appIds.includes(id)) return false;
    return appCategories.length === 0 || (category !== null && appCategories.includes(category));
  });
  if (!isAny && matching.length === 0) return null;
  return {
    formats,
    countries,
    appIds: isAny ? [] : matching.map(({ id }) => id),
    exceptCampaignId: campaignId,
  };
}

/**
 * The time of the forecast: from now or the start on, to the end; without an end seven days. Null: the campaign is over, or
 * would run for more than 92 days.
 */
export function planOf(planned: PlannedCampaign, spent: Spent, nowMs: number): Plan | null {
  const { costNanos, budgetDailyNanos, budgetTotalNanos } = planned;
  const startsAtMs = Math.max(nowMs, planned.startsAtMs ?? 0);
  const endsAtMs = planned.endsAtMs ?? startsAtMs + DAYS_DEFAULT * DAY_MS;
  if (endsAtMs <= startsAtMs || endsAtMs - startsAtMs > FORECAST_DAYS_MAX * DAY_MS) return null;
  return {
    costNanos,
    budgetDailyNanos,
    firstDaySpentNanos: dayOf(startsAtMs) === dayOf(nowMs) ? spent.daySpentNanos : 0n,
    budgetLeftNanos: budgetTotalNanos === null ? null : leftOf(budgetTotalNanos, spent.spentNanos),
    startsAtMs,
    endsAtMs,
  };
}
