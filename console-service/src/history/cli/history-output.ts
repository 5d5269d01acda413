import { toCsv } from '../../cli/csv.js';
import { morePages } from '../../cli/page-options.js';
import { textTable } from '../../cli/text-table.js';
import type { Schemas } from '../../manage/domain/operations.js';

const COLUMNS = ['version', 'at', 'actor', 'id', 'change'] as const;

/** One row for each change of an object, with the fields before and after as JSON. */
export function toHistoryCsv({ rows }: Schemas['History']): string {
  const json = (fields: unknown): string => (fields === null ? '' : JSON.stringify(fields));
  return toCsv([
    [...COLUMNS, 'before', 'after'],
    ...rows.map((row) => [...cellsOf(row), json(row.before), json(row.after)]),
  ]);
}

/** One row for each change of an object, with the changed fields of an update. */
export function toHistoryTable({ rows, next_cursor: next }: Schemas['History']): string {
  const table = textTable(
    [[...COLUMNS, 'fields'], ...rows.map((row) => [...cellsOf(row), row.details.join('; ')])],
    COLUMNS.length + 1,
  );
  return table + morePages(next);
}

function cellsOf(row: Schemas['ObjectChange']): string[] {
  return COLUMNS.map((column) => String(row[column]));
}
