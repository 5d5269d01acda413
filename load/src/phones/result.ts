import { textTable } from '../report/table.js';
import { amount, counted, countText } from './domain/amount.js';
import type { Book, Remark } from './domain/book.js';
import { agrees, differencesOf, type Difference } from './domain/differences.js';
import { Tally, type Count } from './domain/tally.js';

/** The book beside the report. */
export interface Comparison {
  readonly book: Tally;
  readonly report: Tally;
  readonly differences: readonly Difference[];
}

/** Compares the phones' book with what the reports have gained during the run. */
export function compare(book: Book, before: Tally, after: Tally): Comparison {
  const report = new Tally();
  for (const { row, figure, count } of after.entries()) {
    const gained = count.least - before.of(row, figure).least;
    if (gained !== 0) report.add(row, figure, gained);
  }
  const tally = book.tally();
  for (const { row, figure } of report.entries()) {
    const [app = '', campaign] = row.split(' ');
    if (campaign !== undefined && figure === 'fills') tally.add(row, figure, 0, book.unknownFills(app));
  }
  return { book: tally, report, differences: differencesOf(tally, report) };
}

/** Most placements, and most differences, that are listed. */
const LISTED_MAX = 20;
const COLUMNS = ['requests', 'fills', 'impressions', 'clicks', 'rewards', 'fallbacks', 'refused'] as const;

/** The comparison for a person. The last line is the number of differences. */
export function resultLines(
  { book, report, differences }: Comparison,
  remarks: ReadonlyMap<Remark, number>,
): readonly string[] {
  const sums = { book: summed(book, figureOf), report: summed(report, figureOf) };
  const figures = [...new Set([...sums.book, ...sums.report].map(([figure]) => figure))].sort(byPlace);
  const places = { book: summed(book, placeOf), report: summed(report, placeOf) };
  const rows = placeRows(places.book, places.report);
  return [
    "The phones' book beside the report",
    '',
    ...textTable(
      ['figure', 'book', 'report', 'difference'],
      figures.map((figure) => figureCells(figure, of(sums.book, figure), of(sums.report, figure).least)),
    ),
    '',
    ...textTable(['app and placement', ...COLUMNS], rows.slice(0, LISTED_MAX)),
    ...(rows.length > LISTED_MAX ? [`… and ${rows.length - LISTED_MAX} more with fewer requests`] : []),
    '',
    remarksLine(remarks),
    '',
    ...differences.slice(0, LISTED_MAX).map(differenceLine),
    ...(differences.length > LISTED_MAX ? [`… and ${differences.length - LISTED_MAX} more`] : []),
    `differences ${differences.length}`,
  ];
}

/** The book alone, for a person: the report cannot be read. */
export function bookLines(book: Book): readonly string[] {
  const sums = [...summed(book.tally(), figureOf)].sort(([a], [b]) => byPlace(a, b));
  return [
    "The phones' book, without the report",
    '',
    ...textTable(
      ['figure', 'book'],
      sums.map(([figure, count]) => [figure, countText(count)]),
    ),
    '',
    remarksLine(book.remarks),
  ];
}

function remarksLine(remarks: ReadonlyMap<Remark, number>): string {
  if (remarks.size === 0) return 'On the way: nothing.';
  return `On the way: ${[...remarks].map(([remark, count]) => amount(count, remark)).join(', ')}.`;
}

type Sums = ReadonlyMap<string, Count>;

/** Sums of counts by a name; null: a count is left out. */
function summed(tally: Tally, nameOf: (row: string, figure: string) => string | null): Sums {
  const sums = new Map<string, Count>();
  for (const { row, figure, count } of tally.entries()) {
    const name = nameOf(row, figure);
    if (name === null) continue;
    const { least, most } = of(sums, name);
    sums.set(name, { least: least + count.least, most: most + count.most });
  }
  return sums;
}

function of(sums: Sums, name: string): Count {
  return sums.get(name) ?? { least: 0, most: 0 };
}

/** All counts but those by campaign, which are the same events once more. */
function figureOf(row: string, figure: string): string | null {
  return row.includes(' ') ? null : figure;
}

/** `app/placement` and the column of its figure. */
function placeOf(row: string, figure: string): string | null {
  const [app, placement] = row.split('/');
  const column = COLUMNS.find(
    (name) => name === figure || `${figure.split(' ')[0]}s` === name || figure.startsWith(name),
  );
  return placement === undefined || column === undefined ? null : `${app}/${placement} ${column}`;
}

const ORDER = [
  'requests',
  'fills',
  'no-fill',
  'impressions',
  'clicks',
  'rewards',
  'fallback',
  'refused',
  'error',
];

function byPlace(a: string, b: string): number {
  const place = (figure: string): number => ORDER.indexOf(figure.split(' ')[0] ?? '');
  return place(a) - place(b) || (a < b ? -1 : 1);
}

function figureCells(figure: string, book: Count, report: number): readonly string[] {
  return [figure, countText(book), counted(report), agrees(book, report) ? '0' : signed(report - book.least)];
}

function placeRows(book: Sums, report: Sums): readonly (readonly string[])[] {
  const names = [...new Set([...book.keys(), ...report.keys()].map((key) => key.split(' ')[0] ?? ''))];
  const requests = (name: string): number => of(report, `${name} requests`).least;
  names.sort((a, b) => requests(b) - requests(a) || (a < b ? -1 : 1));
  return names.map((name) => [
    name,
    ...COLUMNS.map((column) => {
      const [inBook, inReport] = [of(book, `${name} ${column}`), of(report, `${name} ${column}`).least];
      return agrees(inBook, inReport) ? counted(inReport) : `${countText(inBook)} ≠ ${counted(inReport)}`;
    }),
  ]);
}

function differenceLine({ row, figure, book, report }: Difference): string {
  return `${row}: ${figure}: book ${countText(book)}, report ${counted(report)}`;
}

function signed(count: number): string {
  return count > 0 ? `+${counted(count)}` : counted(count);
}
