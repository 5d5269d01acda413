import type { Schemas } from '../../manage/domain/operations.js';

type Figures = Schemas['ReportFigures'];

/** A column of figures. */
export interface Column {
  readonly name: string;
  /** The text of a cell. Null: the figure cannot be split by one of the keys. */
  readonly of: (figures: Figures) => string | null;
}

function count(name: string, of: (figures: Figures) => number | null): Column {
  return {
    name,
    of: (figures) => {
      const value = of(figures);
      return value === null ? null : String(value);
    },
  };
}

function sum(counts: Readonly<Record<string, number>> | null): number | null {
  return counts === null ? null : Object.values(counts).reduce((total, one) => total + one, 0);
}

/** Columns of counts. The last three are sums over reasons. */
export const COUNT_COLUMNS = {
  requests: count('requests', (figures) => figures.requests),
  fills: count('fills', (figures) => figures.fills),
  impressions: count('impressions', (figures) => figures.impressions),
  clicks: count('clicks', (figures) => figures.clicks),
  rewards: count('rewards', (figures) => figures.rewards),
  fallbacks: count('fallbacks', (figures) => figures.fallbacks),
  noFills: count('no_fills', (figures) => sum(figures.no_fills)),
  rejected: count('rejected', (figures) => sum(figures.rejected)),
  errors: count('errors', (figures) => sum(figures.errors)),
} satisfies Record<string, Column>;

/** Columns of decimals. */
export const DECIMAL_COLUMNS = {
  spend: { name: 'spend', of: ({ spend }) => spend },
  revenue: { name: 'revenue', of: ({ revenue }) => revenue },
  fillRate: { name: 'fill_rate', of: (figures) => figures.fill_rate },
  showRate: { name: 'show_rate', of: (figures) => figures.show_rate },
  ctr: { name: 'ctr', of: ({ ctr }) => ctr },
  ecpm: { name: 'ecpm', of: ({ ecpm }) => ecpm },
} satisfies Record<string, Column>;

/** The maps of counts by reason. */
export type ReasonMap = 'no_fills' | 'fallbacks_by_reason' | 'rejected' | 'errors';

/** One column for each reason of a map: `rejected.duplicate`. */
export function reasonColumns(map: ReasonMap, reasons: readonly string[]): readonly Column[] {
  return reasons.map((reason) =>
    count(`${map}.${reason}`, (figures) => {
      const counts = figures[map];
      return counts === null ? null : (counts[reason] ?? 0);
    }),
  );
}

/** Columns for the reasons of a map that some row has, in the order of their names. */
export function usedReasonColumns(map: ReasonMap, rows: readonly Figures[]): readonly Column[] {
  const reasons = new Set(rows.flatMap((figures) => Object.keys(figures[map] ?? {})));
  return reasonColumns(map, [...reasons].sort());
}
