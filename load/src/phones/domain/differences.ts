import type { Count, RowKey, Tally } from './tally.js';

/** A figure of a row that the book and the report do not agree on. */
export interface Difference {
  readonly row: RowKey;
  readonly figure: string;
  readonly book: Count;
  readonly report: number;
}

/** Whether a number of the report is one that the book allows. */
export function agrees({ least, most }: Count, report: number): boolean {
  return least <= report && report <= most;
}

/** Every figure of every row that differs, in the order of rows and figures. A row that one of both lacks is zero there. */
export function differencesOf(book: Tally, report: Tally): readonly Difference[] {
  const places = new Map(
    [...book.entries(), ...report.entries()].map(({ row, figure }) => [`${row}\n${figure}`, { row, figure }]),
  );
  return [...places.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { row, figure }]) => ({
      row,
      figure,
      book: book.of(row, figure),
      report: report.of(row, figure).least,
    }))
    .filter(({ book: count, report: reported }) => !agrees(count, reported));
}
