import { appError } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import {
  isSplitByToken,
  sourcesOf,
  type ReportCell,
  type ReportKey,
  type ReportSource,
} from '../domain/report.js';
import { whileAvailable } from '../../store/postgres-errors.js';
import type { ReportQuery, ReportStore } from './report.js';
import { inSnapshot } from '../../store/snapshot.js';

/** Most cells of one source. More would not fit into one message. */
const CELLS_MAX = 50_000;

/** The column of each key. No text from a caller becomes part of a statement. */
const COLUMN_OF: Readonly<Record<ReportKey, string>> = {
  hour: `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  day: `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  publisher: 'publisher_id',
  app: 'app_id',
  placement: 'placement',
  format: 'format',
  country: 'country',
  advertiser: 'advertiser_id',
  campaign: 'campaign_id',
  creative: 'creative_id',
};

const SQL_OF: Readonly<Record<ReportSource, string>> = {
  requests: loadText(import.meta.url, './report-requests.sql'),
  fills: loadText(import.meta.url, './report-fills.sql'),
  events: loadText(import.meta.url, './report-events.sql'),
  fallbacks: loadText(import.meta.url, './report-fallbacks.sql'),
  rejections: loadText(import.meta.url, './report-rejections.sql'),
};

const haveCountrySql = loadText(import.meta.url, './select-fallbacks-have-country.sql');

interface CellRow {
  readonly keys: readonly string[];
  readonly reason?: string;
  readonly count?: bigint;
  readonly impressions?: bigint;
  readonly clicks?: bigint;
  readonly rewards?: bigint;
  readonly spend_nanos?: bigint;
  readonly revenue_nanos?: bigint;
}

/** Opens {@link ReportStore} on Postgres. */
export function openReportStore(pool: Pool): ReportStore {
  return {
    read: (query) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => {
          const { rows } = await client.query<{ as_of: number }>('SELECT now() AS as_of');
          const cells: Partial<Record<ReportSource, readonly ReportCell[]>> = {};
          for (const source of sourcesOf(query.by, await fallbacksHaveCountry(client, query)))
            cells[source] = await readCells(client, source, query);
          return { asOfMs: rows[0]?.as_of ?? 0, cells };
        }),
      ),
  };
}

async function fallbacksHaveCountry(client: PoolClient, { fromMs, toMs }: ReportQuery): Promise<boolean> {
  const { rows } = await client.query<{ have_country: boolean }>(haveCountrySql, [fromMs, toMs]);
  return rows[0]?.have_country ?? false;
}

async function readCells(
  client: PoolClient,
  source: ReportSource,
  query: ReportQuery,
): Promise<readonly ReportCell[]> {
  const values: unknown[] = [query.fromMs, query.toMs, CELLS_MAX + 1];
  if (source === 'rejections') values.push(isSplitByToken(query.by));
  const { rows } = await client.query<CellRow>(statementOf(source, query.by), values);
  if (rows.length > CELLS_MAX) {
    throw appError(
      'invalid_argument',
      'The report has too many rows. Split it less or ask for a shorter time.',
    );
  }
  return rows.map(toCell);
}

function statementOf(source: ReportSource, by: readonly ReportKey[]): string {
  const columns = by.map((key) => COLUMN_OF[key]);
  return SQL_OF[source].replaceAll('/*keys*/', () => columns.join(', '));
}

function toCell(row: CellRow): ReportCell {
  return {
    keys: row.keys,
    reason: row.reason ?? '',
    count: row.count ?? 0n,
    impressions: row.impressions ?? 0n,
    clicks: row.clicks ?? 0n,
    rewards: row.rewards ?? 0n,
    spendNanos: row.spend_nanos ?? 0n,
    revenueNanos: row.revenue_nanos ?? 0n,
  };
}
