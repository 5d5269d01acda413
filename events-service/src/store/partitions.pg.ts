import type { Pool } from '@placard/service-kit';
import { dayToIso } from '@placard/service-kit/pure';
import type { PartitionStore } from './partitions.js';

/** Opens {@link PartitionStore}. One statement per day: each commits by itself, so no lock waits for another day. */
export function openPartitionStore(pool: Pool): PartitionStore {
  return {
    async ensure(days) {
      for (const day of new Set(days))
        await pool.query('SELECT events.ensure_partition($1::date)', [dayToIso(day)]);
    },
  };
}
