import { loadText, type PoolClient } from '@placard/service-kit';
import { dayToIso } from '@placard/service-kit/pure';
import type { CampaignDaySpend, EventHourCount, FallbackHourCount } from '../domain/settlement.js';
import { AD_COLUMNS, addRows, hourStartOf, PLACE_COLUMNS } from './columns.js';

const addEventHoursSql = loadText(import.meta.url, './add-event-hours.sql');
const addFallbackHoursSql = loadText(import.meta.url, './add-fallback-hours.sql');
const addCampaignDaysSql = loadText(import.meta.url, './add-campaign-days.sql');

/** Adds to the hourly counts of impressions, clicks and rewards. */
export async function addEventHours(client: PoolClient, counts: readonly EventHourCount[]): Promise<void> {
  await addRows(client, { name: 'add-event-hours', text: addEventHoursSql }, counts, [
    hourStartOf,
    ...PLACE_COLUMNS,
    ...AD_COLUMNS,
    (count) => count.impressions,
    (count) => count.clicks,
    (count) => count.rewards,
    (count) => count.spendNanos,
    (count) => count.revenueNanos,
  ]);
}

/** Adds to the hourly counts of fallbacks that have no country. */
export async function addFallbackHours(
  client: PoolClient,
  counts: readonly FallbackHourCount[],
): Promise<void> {
  await addRows(client, { name: 'add-fallback-hours', text: addFallbackHoursSql }, counts, [
    hourStartOf,
    (count) => count.publisherId,
    (count) => count.appId,
    (count) => count.placement,
    (count) => count.format,
    (count) => count.reason,
    (count) => count.fallbacks,
  ]);
}

/** Adds to the settled spend of campaigns. */
export async function addCampaignDays(
  client: PoolClient,
  spends: readonly CampaignDaySpend[],
): Promise<void> {
  await addRows(client, { name: 'add-campaign-days', text: addCampaignDaysSql }, spends, [
    (spend) => spend.advertiserId,
    (spend) => spend.campaignId,
    (spend) => dayToIso(spend.day),
    (spend) => spend.impressions,
    (spend) => spend.spendNanos,
  ]);
}
