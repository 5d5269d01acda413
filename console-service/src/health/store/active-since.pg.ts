import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import type { CampaignId } from '@placard/service-kit/pure';
import { runSql } from '../../store/run-sql.js';

const readSql = loadText(import.meta.url, './read-active-since.sql');

/** When campaigns last became active, epoch ms, from the audit. Those that never were are left out. Error `unavailable`. */
export async function readActiveSince(
  pool: Pool,
  campaignIds: readonly CampaignId[],
): Promise<ReadonlyMap<CampaignId, number>> {
  const rows = await runSql<{ readonly campaign_id: CampaignId; readonly active_since: number }>(
    pool,
    readSql,
    [campaignIds],
  );
  return new Map(rows.map((row) => [row.campaign_id, row.active_since]));
}
