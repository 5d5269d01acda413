import { loadText, type PoolClient } from '@placard/service-kit';
import { HOUR_MS, dayToIso } from '@placard/service-kit/pure';
import type { CampaignDaySpend, EventHourCount, FallbackHourCount } from '../domain/settlement.js';
import { toColumns } from './columns.js';

const addEventHoursSql = loadText(import.meta.url, './add-event-hours.sql');
const addFallbackHoursSql = loadText(import.meta.url, './add-fallback-hours.sql');
const addCampaignDaysSql = loadText(import.meta.url, './add-campaign-days.sql');

/** Adds to the hourly counts of impressions, clicks and rewards. */
export async function addEventHours(client: PoolClient, counts: readonly EventHourCount[]): Promise<void> {
  if (counts.length === 0) return;
  const columns = toColumns(counts, [
    (count) => count.hour * HOUR_MS,
    (count) => count.publisherId,
    (count) => count.appId,
    (count) => count.placement,
    (count) => count.format,
    (count) => count.country,
    (count) => count.advertiserId,
    (count) => count.campaignId,
    (count) => count.creativeId,
    (count) => count.impressions,
    (count) => count.clicks,
    (count) => count.rewards,
    (count) => count.spendNanos,
    (count) => count.revenueNanos,
  ]);
  await client.query({ name: 'add-event-hours', text: addEventHoursSql, values: [...columns] });
}

/** Adds to the hourly counts of fallbacks. */
export async function addFallbackHours(
  client: PoolClient,
  counts: readonly FallbackHourCount[],
): Promise<void> {
  if (counts.length === 0) return;
  const columns = toColumns(counts, [
    (count) => count.hour * HOUR_MS,
    (count) => count.publisherId,
    (count) => count.appId,
    (count) => count.placement,
    (count) => count.format,
    (count) => count.reason,
    (count) => count.fallbacks,
  ]);
  await client.query({ name: 'add-fallback-hours', text: addFallbackHoursSql, values: [...columns] });
}

/** Adds to the settled spend of campaigns. */
export async function addCampaignDays(
  client: PoolClient,
  spends: readonly CampaignDaySpend[],
): Promise<void> {
  if (spends.length === 0) return;
  const columns = toColumns(spends, [
    (spend) => spend.advertiserId,
    (spend) => spend.campaignId,
    (spend) => dayToIso(spend.day),
    (spend) => spend.impressions,
    (spend) => spend.spendNanos,
  ]);
  await client.query({ name: 'add-campaign-days', text: addCampaignDaysSql, values: [...columns] });
}
