import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { DAY_MS, dayToIso } from '@placard/service-kit/pure';
import type { PartitionState, PartitionStore } from './partitions.js';
import { whileAvailable } from './postgres-errors.js';

const selectOldPartitions = loadText(import.meta.url, './select-old-partitions.sql');
const selectPartitionState = loadText(import.meta.url, './select-partition-state.sql');

/** Longest wait of a drop for its lock, in milliseconds. Events wait behind it meanwhile; the drop is tried again later. */
const LOCK_WAIT_MS_MAX = 250;

/** Opens {@link PartitionStore}. Each day is a statement of its own and commits alone, so no lock is kept for another day. */
export function openPartitionStore(pool: Pool): PartitionStore {
  return {
    async ensure(days) {
      for (const day of new Set(days))
        await pool.query('SELECT events.ensure_partition($1::date)', [dayToIso(day)]);
    },
    olderThan: ({ today, keptDays }) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{ day: string }>(selectOldPartitions, [dayToIso(today), keptDays]);
        return rows.map((row) => Date.parse(`${row.day}T00:00:00Z`) / DAY_MS);
      }),
    state: (day) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{ state: PartitionState }>(selectPartitionState, [dayToIso(day)]);
        return rows[0]?.state ?? 'differs';
      }),
    drop: (day) =>
      whileAvailable(async () => {
        const { rows } = await pool.query<{ dropped: boolean }>(
          'SELECT events.drop_partition($1::date, $2::int4) AS dropped',
          [dayToIso(day), LOCK_WAIT_MS_MAX],
        );
        return rows[0]?.dropped ?? false;
      }),
  };
}
