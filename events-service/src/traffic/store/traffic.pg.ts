import { loadText } from '@placard/service-kit/files';
import { inTransaction, type Pool, type PoolClient } from '@placard/service-kit/postgres';
import { DAY_MS, MINUTE_MS, dayOf, dayToIso, type AdFormat } from '@placard/service-kit/pure';
import { HALF_HOURS, LEARNED_DAYS_MAX, type TrafficCurve, type TrafficDay } from '../domain/traffic-curve.js';
import { whileAvailable } from '../../store/postgres-errors.js';
import type { TrafficStore } from './traffic.js';

const claimDay = loadText(import.meta.url, './claim-traffic-day.sql');
const selectTraffic = loadText(import.meta.url, './select-traffic.sql');
const deleteCurves = loadText(import.meta.url, './delete-traffic-curves.sql');
const insertCurve = loadText(import.meta.url, './insert-traffic-curve.sql');
const selectCurves = loadText(import.meta.url, './select-traffic-curves.sql');
const pruneTraffic = loadText(import.meta.url, './prune-traffic.sql');
const pruneLearned = loadText(import.meta.url, './prune-traffic-learned.sql');

/** Most groups with a curve: those with most requests. */
const GROUPS_MAX = 2_000;
/** Counts are kept longer than learning reads them, so that an operator can look back. */
const KEPT_DAYS = 30;
const HALF_HOUR_MS = 30 * MINUTE_MS;

/** Opens {@link TrafficStore} on Postgres. */
export function openTrafficStore(pool: Pool): TrafficStore {
  return {
    learn: (day, learn) =>
      whileAvailable(() =>
        inTransaction(pool, async (client) => {
          const { rowCount } = await client.query(claimDay, [dayToIso(day)]);
          if (rowCount === 0) return false;
          const curves = learn(await readDays(client, day));
          await replaceCurves(client, curves);
          const keptFromMs = (day - KEPT_DAYS) * DAY_MS;
          await client.query(pruneTraffic, [keptFromMs]);
          await client.query(pruneLearned, [keptFromMs]);
          return true;
        }),
      ),
    curves: () =>
      whileAvailable(async () => {
        const { rows } = await pool.query<CurveRow>(selectCurves, [GROUPS_MAX]);
        return rows.map((row) => ({
          category: row.app_category,
          format: row.format,
          requestsPerDay: row.requests_per_day,
          shares: row.shares,
          isProven: row.is_proven,
        }));
      }),
  };
}

interface CurveRow {
  readonly app_category: string;
  readonly format: AdFormat;
  readonly requests_per_day: number;
  readonly shares: readonly number[];
  readonly is_proven: boolean;
}

interface TrafficRow {
  readonly app_category: string;
  readonly format: AdFormat;
  readonly at_ms: number;
  readonly requests: number;
}

async function readDays(client: PoolClient, today: number): Promise<readonly TrafficDay[]> {
  const { rows } = await client.query<TrafficRow>(selectTraffic, [
    (today - LEARNED_DAYS_MAX) * DAY_MS,
    today * DAY_MS,
    GROUPS_MAX,
  ]);
  const days = new Map<string, TrafficDay & { readonly requests: number[] }>();
  for (const row of rows) {
    const day = dayOf(row.at_ms);
    const key = `${row.format}|${day}|${row.app_category}`;
    let known = days.get(key);
    if (known === undefined) {
      const requests = new Array<number>(HALF_HOURS).fill(0);
      known = { category: row.app_category, format: row.format, day, requests };
      days.set(key, known);
    }
    known.requests[Math.floor((row.at_ms - day * DAY_MS) / HALF_HOUR_MS)] = row.requests;
  }
  return [...days.values()];
}

async function replaceCurves(client: PoolClient, curves: readonly TrafficCurve[]): Promise<void> {
  await client.query(deleteCurves);
  for (const { category, format, requestsPerDay, shares, isProven } of curves) {
    await client.query(insertCurve, [category, format, requestsPerDay, shares, isProven]);
  }
}
