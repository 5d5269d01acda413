import type { ReportKey } from '@placard/service-kit/pure';
import { addFigures, type Figures } from './figures.js';

/** A counted row. Keys in the order of the split; an unknown value is empty. */
export interface CountedRow {
  readonly keys: readonly string[];
  readonly figures: Figures;
}

/** A row of a report. */
export interface ReportRow extends CountedRow {
  /** Of the range before. Null: the report compares nothing. */
  readonly previous: Figures | null;
}

/** Sums rows into a total. `empty`: figures without counts, for a report without rows. */
export function sumRows(rows: readonly CountedRow[], empty: Figures): Figures {
  return rows.reduce((sum, { figures }) => addFigures(sum, figures), empty);
}

/**
 * Joins the rows of a range with those of the range before, in the order of their keys. A row of one range alone has zeros
 * for the other. `previous` null: there is no comparison.
 */
export function joinPrevious(
  rows: readonly CountedRow[],
  previous: readonly CountedRow[] | null,
  empty: Figures,
): readonly ReportRow[] {
  if (previous === null) return rows.map((row) => ({ ...row, previous: null }));
  const before = new Map(previous.map((row) => [nameOf(row.keys), row.figures]));
  const now = new Set(rows.map(({ keys }) => nameOf(keys)));
  const gone = previous.filter(({ keys }) => !now.has(nameOf(keys)));
  return inOrder([
    ...rows.map((row) => ({ ...row, previous: before.get(nameOf(row.keys)) ?? empty })),
    ...gone.map(({ keys, figures }) => ({ keys, figures: empty, previous: figures })),
  ]);
}

/** Adds a row without counts for each of the keys that has no row. */
export function addZeroRows(
  rows: readonly CountedRow[],
  all: readonly (readonly string[])[],
  empty: Figures,
): readonly CountedRow[] {
  const counted = new Set(rows.map(({ keys }) => nameOf(keys)));
  const missing = all.filter((keys) => !counted.has(nameOf(keys)));
  return missing.length === 0
    ? rows
    : inOrder([...rows, ...missing.map((keys) => ({ keys, figures: empty }))]);
}

function nameOf(keys: readonly string[]): string {
  return keys.join('\n');
}

function inOrder<Row extends CountedRow>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((one, other) => compareKeys(one.keys, other.keys));
}

function compareKeys(one: readonly string[], other: readonly string[]): number {
  for (const [place, value] of one.entries()) {
    const against = other[place] ?? '';
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}

/** The keys of what buyers own, owners first. */
export const BUYER_KEYS = ['advertiser', 'campaign', 'creative'] as const;
/** One of {@link BUYER_KEYS}. */
export type BuyerKey = (typeof BUYER_KEYS)[number];

/**
 * The keys of a split by advertiser, campaign and creative alone: such a report has a row for each of them in the catalog.
 * Null: the split has other keys, or none. Contract: docs/contract/reports.md#rows-without-counts.
 */
export function buyerKeysOf(by: readonly ReportKey[]): readonly BuyerKey[] | null {
  const keys = BUYER_KEYS.filter((key) => by.includes(key));
  return keys.length === 0 || keys.length < by.length ? null : (by as readonly BuyerKey[]);
}
