import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { HOUR_MS, hourOf } from '@placard/service-kit/pure';
import { whileAvailable } from '../../store/postgres-errors.js';
import type { AppShows, ShowStore } from './shows.js';

const selectRecentShows = loadText(import.meta.url, './select-recent-shows.sql');

/** Opens {@link ShowStore} on Postgres. */
export function openShowStore(pool: Pool): ShowStore {
  return {
    since: (fromMs, appsMax) =>
      whileAvailable(async () => {
        const values = [hourOf(fromMs) * HOUR_MS, appsMax];
        return (await pool.query<AppShows>(selectRecentShows, values)).rows;
      }),
  };
}
