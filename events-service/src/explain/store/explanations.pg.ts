import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { whileAvailable } from '../../store/postgres-errors.js';
import { inSnapshot } from '../../store/snapshot.js';
import type { HourDelivery, StepLoss } from '../domain/funnel.js';
import type { ExplanationStore } from './explanations.js';

const insertExplained = loadText(import.meta.url, './insert-explained.sql');
const selectExplained = loadText(import.meta.url, './select-explained.sql');
const selectLosses = loadText(import.meta.url, './select-losses.sql');
const selectDeliveries = loadText(import.meta.url, './select-deliveries.sql');
const pruneLosses = loadText(import.meta.url, './prune-losses.sql');
const pruneExplained = loadText(import.meta.url, './prune-explained.sql');

type Row<Counts extends { readonly hour: number }> = Omit<Counts, 'hour'> & { readonly hour: bigint };

/** Opens {@link ExplanationStore} on Postgres. */
export function openExplanationStore(pool: Pool): ExplanationStore {
  return {
    keep: (explanations) =>
      whileAvailable(async () => {
        await pool.query({
          name: 'insert-explained',
          text: insertExplained,
          values: [
            explanations.map(({ requestId }) => requestId),
            explanations.map(({ atMs }) => atMs),
            explanations.map(({ explanation }) => Buffer.from(explanation)),
          ],
        });
      }),
    find: (requestId) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{ explanation: Buffer }>(selectExplained, [requestId]);
        return rows[0]?.explanation ?? null;
      }),
    funnel: ({ campaignId, fromMs, toMs }) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => {
          const values = [campaignId, fromMs, toMs];
          const { rows } = await client.query<{ as_of: number }>('SELECT now() AS as_of');
          const losses = await client.query<Row<StepLoss>>(selectLosses, values);
          const deliveries = await client.query<Row<HourDelivery>>(selectDeliveries, values);
          return {
            asOfMs: rows[0]?.as_of ?? 0,
            losses: losses.rows.map(withHour),
            deliveries: deliveries.rows.map(withHour),
          };
        }),
      ),
    async prune({ lossesSeconds, requestsSeconds }) {
      await pool.query(pruneLosses, [lossesSeconds]);
      await pool.query(pruneExplained, [requestsSeconds]);
    },
  };
}

function withHour<Counts>(row: Counts & { readonly hour: bigint }) {
  return { ...row, hour: Number(row.hour) };
}
