import { appError, loadText, type Pool, type PoolClient } from '@placard/service-kit';
import { DAY_MS } from '@placard/service-kit/pure';
import { MINUTE_FINAL_AFTER_MS, STORE_AFTER_EXPIRY_MS } from '../domain/event-row.js';
import { whileAvailable } from './postgres-errors.js';
import { inSnapshot } from './snapshot.js';
import type { AcceptedSum, CampaignSpend, ClosingMinute, OpenMinute, SpendStore } from './spend.js';

const selectAcceptedSums = loadText(import.meta.url, './select-accepted-sums.sql');
const selectRunningInserts = loadText(import.meta.url, './select-running-inserts.sql');
const selectCampaignSpend = loadText(import.meta.url, './select-campaign-spend.sql');
const selectOpenMinutes = loadText(import.meta.url, './select-open-minutes.sql');

/**
 * Opens {@link SpendStore} on Postgres. `finalAfterMs`: when a minute is final after its last expiry, for tests; a stalled
 * insert keeps it open for longer, however long the stall.
 */
export function openSpendStore(pool: Pool, finalAfterMs: number = MINUTE_FINAL_AFTER_MS): SpendStore {
  return {
    acceptedSums: (minutes) => whileAvailable(() => readAcceptedSums(pool, minutes, finalAfterMs)),
    advertiserSpend: (advertiserId) =>
      whileAvailable(async () => {
        const end = await lookAtInserts(pool, finalAfterMs);
        return inSnapshot(pool, async (client) => ({
          campaignDays: await readCampaignDays(client, advertiserId),
          openMinutes: await readOpenMinutes(client, advertiserId, end),
        }));
      }),
  };
}

/** What says whether a minute is final, in the order of the parameters: the two waits, when it was looked, the oldest insert. */
type EndOfMinutes = readonly [
  finalAfterMs: number,
  storeAfterMs: number,
  lookedAtMs: number,
  oldestInsertAtMs: number | null,
];

/** To be asked before the impressions are read: what runs no longer is in their snapshot. */
async function lookAtInserts(pool: Pool, finalAfterMs: number): Promise<EndOfMinutes> {
  const { rows } = await pool.query<{ looked_at: number; oldest_at: number | null; is_standby: boolean }>(
    selectRunningInserts,
  );
  const [look] = rows;
  if (look?.is_standby !== false) throw appError('unavailable', 'A standby of the database knows no truth.');
  return [finalAfterMs, STORE_AFTER_EXPIRY_MS, look.looked_at, look.oldest_at];
}

async function readAcceptedSums(
  pool: Pool,
  minutes: readonly ClosingMinute[],
  finalAfterMs: number,
): Promise<readonly AcceptedSum[]> {
  const end = await lookAtInserts(pool, finalAfterMs);
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
      ...end,
    ],
  });
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    minute: Number(row.minute),
    isOver: row.is_over,
    acceptedNanos: row.accepted_nanos,
    impressions: row.impressions,
  }));
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

async function readOpenMinutes(
  client: PoolClient,
  advertiserId: string,
  end: EndOfMinutes,
): Promise<readonly OpenMinute[]> {
  const { rows } = await client.query<{
    campaign_id: string;
    minute: bigint;
    reserved_nanos: bigint;
    accepted_nanos: bigint;
    expires_at: number;
  }>({ name: 'select-open-minutes', text: selectOpenMinutes, values: [advertiserId, ...end] });
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    minute: Number(row.minute),
    reservedNanos: row.reserved_nanos,
    acceptedNanos: row.accepted_nanos,
    expiresAtMs: row.expires_at,
  }));
}
