import { toCsv } from '../../cli/csv.js';
import { counted } from '../../cli/counted.js';
import { textTable } from '../../cli/text-table.js';
import type { Schemas } from '../../manage/domain/operations.js';

type Report = Schemas['SuspiciousReport'];

/** The keys by which suspicious events are counted. */
export const KEYS = ['rule', 'app', 'placement', 'session'] as const;
/** One of {@link KEYS}. */
export type SuspiciousKey = (typeof KEYS)[number];

/** Suspicious events as CSV. Each row has the range that it covers. */
export function toSuspiciousCsv(by: readonly SuspiciousKey[], { rows, from, to }: Report): string {
  const head = [...by, 'events', 'entries', 'first_at', 'last_at', 'from', 'to'];
  const lines = rows.map((row) => [...cellsOf(by, row, ''), from, to]);
  return toCsv([head, ...lines]);
}

/** Suspicious events for a person; `-` where they are not counted. */
export function toSuspiciousTable(by: readonly SuspiciousKey[], report: Report): string {
  const { rows, from, to, rows_left_out: leftOut } = report;
  const head = [...by, 'events', 'entries', 'first', 'last'];
  const table = textTable([head, ...rows.map((row) => cellsOf(by, row, '-'))], by.length);
  const rest = leftOut === 0 ? '' : `… and ${counted(leftOut, 'row')} with fewer events.\n`;
  return `${from} to ${to}\n${table}${rest}`;
}

function cellsOf(by: readonly SuspiciousKey[], row: Report['rows'][number], none: string): string[] {
  return [
    ...by.map((key) => row[key] ?? ''),
    row.events === null ? none : String(row.events),
    String(row.entries),
    row.first_at ?? none,
    row.last_at ?? none,
  ];
}
