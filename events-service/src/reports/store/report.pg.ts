import { appError } from '@placard/service-kit';
import { loadText } from '@placard/service-kit/files';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import { toIso } from '@placard/service-kit/pure';
import type { ReportCell } from '../domain/report.js';
import { needsPlace, sourcesOf, type ReportKey, type ReportSource } from '../domain/report-sources.js';
import { whileAvailable } from '../../store/postgres-errors.js';
import type { ReportDay, ReportQuery, ReportStore } from './report.js';
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
  app_version: 'app_version',
  sdk_version: 'sdk_version',
};

/** Sources of which a part has no app. */
const PARTLY_WITHOUT_PLACE: ReadonlySet<ReportSource> = new Set(['rejections', 'errors']);

const SQL_OF: Readonly<Record<ReportSource, string>> = {
  requests: loadText(import.meta.url, './sources/report-requests.sql'),
  versions: loadText(import.meta.url, './sources/report-versions.sql'),
  fills: loadText(import.meta.url, './sources/report-fills.sql'),
  events: loadText(import.meta.url, './sources/report-events.sql'),
  fallbacks: loadText(import.meta.url, './sources/report-fallbacks.sql'),
  rejections: loadText(import.meta.url, './sources/report-rejections.sql'),
  errors: loadText(import.meta.url, './sources/report-errors.sql'),
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
          for (const source of sourcesOf(neededKeys(query), await fallbacksHaveCountry(client, query)))
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
  const { text, values } = statementOf(source, query);
  const { rows } = await client.query<CellRow>(text, values);
  if (rows.length > CELLS_MAX) {
    throw appError(
      'invalid_argument',
      'The report has too many rows. Split it less or ask for a shorter time.',
    );
  }
  return rows.map(toCell);
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** The statement of a source. Texts of the caller are parameters. */
function statementOf(source: ReportSource, query: ReportQuery): Statement {
  const values: unknown[] = [query.fromMs, query.toMs, CELLS_MAX + 1];
  if (PARTLY_WITHOUT_PLACE.has(source)) values.push(needsPlace(neededKeys(query)));
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const keys = query.by.map((key) =>
    key === 'day' && query.days.length > 0 ? dayColumn(query.days, parameter) : COLUMN_OF[key],
  );
  const filters = query.filters.map(
    (filter) => `AND ${COLUMN_OF[filter.key]} = ANY (${parameter(filter.values)}::text[])`,
  );
  const text = SQL_OF[source]
    .replaceAll('/*keys*/', () => keys.join(', '))
    .replaceAll('/*filters*/', () => filters.join(' '));
  return { text, values };
}

/** The name of the last day that begins no later than the hour. */
function dayColumn(days: readonly ReportDay[], parameter: (value: unknown) => string): string {
  const names = parameter(days.map(({ name }) => name));
  const begins = parameter(days.map(({ fromMs }) => toIso(fromMs)));
  return `(${names}::text[])[width_bucket(hour, ${begins}::timestamptz[])]`;
}

function neededKeys({ by, filters }: ReportQuery): readonly ReportKey[] {
  return [...by, ...filters.map(({ key }) => key)];
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
