import { loadText } from '@placard/service-kit/files';
import type { Queryable } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';

const hasCampaignSql = loadText(import.meta.url, './has-campaign.sql');

/** Makes the question whether the catalog has a campaign. Error: `unavailable`. */
export function makeHasCampaign(db: Queryable): (id: string) => Promise<boolean> {
  return async (id) => {
    const [row] = await runSql<{ readonly has_campaign: boolean }>(db, hasCampaignSql, [id]);
    return row?.has_campaign ?? false;
  };
}
