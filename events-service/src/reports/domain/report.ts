import type { ReportKey, ReportSource } from './report-sources.js';

/** Sums of one source for one combination of key values; a source leaves out what it does not count. */
export interface ReportCell {
  /** In the order of the split; unknown values are empty. */
  readonly keys: readonly string[];
  /** The no-fill reason of requests (empty: a fill), the reason of fallbacks or rejections, or the error; else empty. */
  readonly reason: string;
  /** Requests, fills, fallbacks, rejections or errors. */
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
 * One row of a report. Null: the figure cannot be split or filtered by one of the keys. Maps have no zeros.
 * Contract: docs/contract/reports.md#requests-fills-no-fills, docs/contract/reports.md#rejected.
 */
export interface ReportRow {
  readonly keys: readonly string[];
  readonly requests: bigint | null;
  readonly fills: bigint;
  readonly noFills: ReadonlyMap<string, bigint> | null;
  /** Null: no version is known of events. */
  readonly events: EventSums | null;
  readonly fallbacks: ReadonlyMap<string, bigint> | null;
  readonly rejected: ReadonlyMap<string, bigint> | null;
  readonly errors: ReadonlyMap<string, bigint> | null;
}

/** Sums of accepted events and of their money, in nano-units. */
export interface EventSums {
  readonly impressions: bigint;
  readonly clicks: bigint;
  readonly rewards: bigint;
  readonly spendNanos: bigint;
  readonly revenueNanos: bigint;
}

interface RowSums {
  readonly keys: readonly string[];
  requests: bigint;
  fills: bigint;
  readonly noFills: Map<string, bigint>;
  readonly events: { -readonly [Name in keyof EventSums]: bigint };
  readonly fallbacks: Map<string, bigint>;
  readonly rejected: Map<string, bigint>;
  readonly errors: Map<string, bigint>;
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
  for (const cell of cells.versions ?? []) addVersions(rowOf(cell.keys), cell);
  for (const cell of cells.fills ?? []) rowOf(cell.keys).fills += cell.count;
  for (const cell of cells.events ?? []) addEvents(rowOf(cell.keys).events, cell);
  for (const cell of cells.fallbacks ?? []) addTo(rowOf(cell.keys).fallbacks, cell);
  for (const cell of cells.rejections ?? []) addTo(rowOf(cell.keys).rejected, cell);
  for (const cell of cells.errors ?? []) addTo(rowOf(cell.keys).errors, cell);
  return [...rows.values()].sort((a, b) => compareKeys(a.keys, b.keys)).map((row) => toRow(row, cells));
}

/** A row without counts and keys, with null for each figure that the cells cannot have. */
export function emptyOf(cells: ReportCells): ReportRow {
  return toRow(emptyRow([]), cells);
}

function toRow(sums: RowSums, cells: ReportCells): ReportRow {
  const hasRequests = cells.requests !== undefined || cells.versions !== undefined;
  return {
    keys: sums.keys,
    requests: hasRequests ? sums.requests : null,
    fills: sums.fills,
    noFills: hasRequests ? sums.noFills : null,
    events: cells.events === undefined ? null : sums.events,
    fallbacks: cells.fallbacks === undefined ? null : sums.fallbacks,
    rejected: cells.rejections === undefined ? null : sums.rejected,
    errors: cells.errors === undefined ? null : sums.errors,
  };
}

function emptyRow(keys: readonly string[]): RowSums {
  return {
    keys,
    requests: 0n,
    fills: 0n,
    noFills: new Map(),
    events: { impressions: 0n, clicks: 0n, rewards: 0n, spendNanos: 0n, revenueNanos: 0n },
    fallbacks: new Map(),
    rejected: new Map(),
    errors: new Map(),
  };
}

function addRequests(row: RowSums, cell: ReportCell): void {
  row.requests += cell.count;
  if (cell.reason !== '') addTo(row.noFills, cell);
}

/** A request by version without a reason is a fill. */
function addVersions(row: RowSums, cell: ReportCell): void {
  addRequests(row, cell);
  if (cell.reason === '') row.fills += cell.count;
}

function addEvents(sums: RowSums['events'], cell: ReportCell): void {
  sums.impressions += cell.impressions;
  sums.clicks += cell.clicks;
  sums.rewards += cell.rewards;
  sums.spendNanos += cell.spendNanos;
  sums.revenueNanos += cell.revenueNanos;
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
