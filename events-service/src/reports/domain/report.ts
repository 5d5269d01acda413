import type { ReportKey } from '@placard/service-kit/pure';

export type { ReportKey };

/** A source of counts. Each has its own table. */
export type ReportSource = 'requests' | 'fills' | 'events' | 'fallbacks' | 'rejections';

/** Sums of one source for one combination of key values; a source leaves out what it does not count. */
export interface ReportCell {
  /** In the order of the split; unknown values are empty. */
  readonly keys: readonly string[];
  /** The no-fill reason of requests (empty: a fill), or the reason of rejections; empty for other sources. */
  readonly reason: string;
  /** Requests, fills, fallbacks or rejections. */
  readonly count: bigint;
  readonly impressions: bigint;
  readonly clicks: bigint;
  readonly rewards: bigint;
  readonly spendNanos: bigint;
  readonly revenueNanos: bigint;
}

/** Cells by source; a source that cannot be split by one of the keys is left out. */
export type ReportCells = Readonly<Partial<Record<ReportSource, readonly ReportCell[]>>>;

/**
 * One row of a report. Null: the figure cannot be split by one of the keys.
 * Contract: docs/contract/reports.md#requests-fills-no-fills, docs/contract/reports.md#rejected.
 */
export interface ReportRow {
  readonly keys: readonly string[];
  readonly requests: bigint | null;
  readonly fills: bigint;
  /** Counts by reason, without zeros. */
  readonly noFills: ReadonlyMap<string, bigint> | null;
  readonly impressions: bigint;
  readonly clicks: bigint;
  readonly rewards: bigint;
  readonly fallbacks: bigint | null;
  readonly rejected: ReadonlyMap<string, bigint>;
  readonly spendNanos: bigint;
  readonly revenueNanos: bigint;
}

const BUYER_KEYS: ReadonlySet<ReportKey> = new Set(['advertiser', 'campaign', 'creative']);
const TIME_KEYS: ReadonlySet<ReportKey> = new Set(['hour', 'day']);

/** Whether rows are split by buyer. Requests, no-fills and fallbacks have no buyer. */
function isSplitByBuyer(by: readonly ReportKey[]): boolean {
  return by.some((key) => BUYER_KEYS.has(key));
}

/** Whether rows are split by a key that only a readable token holds. Then events with an unreadable token have no row. */
export function isSplitByToken(by: readonly ReportKey[]): boolean {
  return by.some((key) => !TIME_KEYS.has(key));
}

/**
 * The sources that can be split by all of the keys. `fallbacksHaveCountry`: false when some fallbacks of the range were counted
 * without their country.
 */
export function sourcesOf(by: readonly ReportKey[], fallbacksHaveCountry: boolean): readonly ReportSource[] {
  if (isSplitByBuyer(by)) return ['fills', 'events', 'rejections'];
  const others = ['requests', 'fills', 'events', 'rejections'] as const;
  return fallbacksHaveCountry || !by.includes('country') ? [...others, 'fallbacks'] : others;
}

interface RowSums {
  readonly keys: readonly string[];
  requests: bigint;
  fills: bigint;
  readonly noFills: Map<string, bigint>;
  impressions: bigint;
  clicks: bigint;
  rewards: bigint;
  fallbacks: bigint;
  readonly rejected: Map<string, bigint>;
  spendNanos: bigint;
  revenueNanos: bigint;
}

/**
 * Joins the sources' cells into rows ordered by their keys. A report without a split has exactly one row, also when
 * nothing happened.
 */
export function joinReport(by: readonly ReportKey[], cells: ReportCells): readonly ReportRow[] {
  const rows = new Map<string, RowSums>();
  const rowOf = (keys: readonly string[]): RowSums => {
    const name = keys.join('\n');
    const row = rows.get(name) ?? emptyRow(keys);
    rows.set(name, row);
    return row;
  };
  if (by.length === 0) rowOf([]);
  for (const cell of cells.requests ?? []) addRequests(rowOf(cell.keys), cell);
  for (const cell of cells.fills ?? []) rowOf(cell.keys).fills += cell.count;
  for (const cell of cells.events ?? []) addEvents(rowOf(cell.keys), cell);
  for (const cell of cells.fallbacks ?? []) rowOf(cell.keys).fallbacks += cell.count;
  for (const cell of cells.rejections ?? []) addTo(rowOf(cell.keys).rejected, cell);
  return [...rows.values()]
    .sort((a, b) => compareKeys(a.keys, b.keys))
    .map((row) => ({
      ...row,
      requests: cells.requests === undefined ? null : row.requests,
      noFills: cells.requests === undefined ? null : row.noFills,
      fallbacks: cells.fallbacks === undefined ? null : row.fallbacks,
    }));
}

function emptyRow(keys: readonly string[]): RowSums {
  return {
    keys,
    requests: 0n,
    fills: 0n,
    noFills: new Map(),
    impressions: 0n,
    clicks: 0n,
    rewards: 0n,
    fallbacks: 0n,
    rejected: new Map(),
    spendNanos: 0n,
    revenueNanos: 0n,
  };
}

function addRequests(row: RowSums, cell: ReportCell): void {
  row.requests += cell.count;
  if (cell.reason !== '') addTo(row.noFills, cell);
}

function addEvents(row: RowSums, cell: ReportCell): void {
  row.impressions += cell.impressions;
  row.clicks += cell.clicks;
  row.rewards += cell.rewards;
  row.spendNanos += cell.spendNanos;
  row.revenueNanos += cell.revenueNanos;
}

function addTo(counts: Map<string, bigint>, { reason, count }: ReportCell): void {
  if (count !== 0n) counts.set(reason, (counts.get(reason) ?? 0n) + count);
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (const [place, value] of a.entries()) {
    const other = b[place] ?? '';
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
