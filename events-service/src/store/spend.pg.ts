import { loadText, type Pool, type PoolClient } from '@placard/service-kit';
import { DAY_MS } from '@placard/service-kit/pure';
import { MINUTE_FINAL_AFTER_MS } from '../domain/event-row.js';
import { whileAvailable } from './postgres-errors.js';
import { inSnapshot } from './snapshot.js';
import type { CampaignSpend, OpenMinute, SpendStore } from './spend.js';

const selectAcceptedSums = loadText(import.meta.url, './select-accepted-sums.sql');
const selectCampaignSpend = loadText(import.meta.url, './select-campaign-spend.sql');
const selectOpenMinutes = loadText(import.meta.url, './select-open-minutes.sql');

/** Opens {@link SpendStore} on Postgres. */
export function openSpendStore(pool: Pool): SpendStore {
  return {
    acceptedSums: (minutes) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{
          campaign_id: string;
          minute: bigint;
          is_over: boolean;
          accepted_nanos: bigint;
          impressions: bigint;
        }>({
          name: 'select-accepted-sums',
          text: selectAcceptedSums,
          values: [
            minutes.map((asked) => asked.campaignId),
            minutes.map((asked) => asked.minute),
            minutes.map((asked) => asked.expiresAtMs),
            MINUTE_FINAL_AFTER_MS,
          ],
        });
        return rows.map((row) => ({
          campaignId: row.campaign_id,
          minute: Number(row.minute),
          isOver: row.is_over,
          acceptedNanos: row.accepted_nanos,
          impressions: row.impressions,
        }));
      }),
    advertiserSpend: (advertiserId) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => ({
          campaignDays: await readCampaignDays(client, advertiserId),
          openMinutes: await readOpenMinutes(client, advertiserId),
        })),
      ),
  };
}

async function readCampaignDays(client: PoolClient, advertiserId: string): Promise<readonly CampaignSpend[]> {
  const { rows } = await client.query<{ campaign_id: string; day: string; spend_nanos: bigint }>({
    name: 'select-campaign-spend',
    text: selectCampaignSpend,
    values: [advertiserId],
  });
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    day: Date.parse(`${row.day}T00:00:00Z`) / DAY_MS,
    spendNanos: row.spend_nanos,
  }));
}

async function readOpenMinutes(client: PoolClient, advertiserId: string): Promise<readonly OpenMinute[]> {
  const { rows } = await client.query<{
    campaign_id: string;
    minute: bigint;
    reserved_nanos: bigint;
    accepted_nanos: bigint;
    expires_at: number;
  }>({ name: 'select-open-minutes', text: selectOpenMinutes, values: [advertiserId, MINUTE_FINAL_AFTER_MS] });
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    minute: Number(row.minute),
    reservedNanos: row.reserved_nanos,
    acceptedNanos: row.accepted_nanos,
    expiresAtMs: row.expires_at,
  }));
}
