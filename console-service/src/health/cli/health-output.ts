import { toCsv } from '../../cli/csv.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';
import type { Schemas } from '../../manage/domain/operations.js';

type Health = Schemas['Health'];
type Concern = Schemas['Concern'];

const CSV_COLUMNS = [
  'kind',
  'subject_kind',
  'subject',
  'reason',
  'since',
  'budget',
  'plan',
  'delivered',
  'projected',
  'left',
  'days_left',
  'fills',
  'impressions',
  'requests',
  'usual_requests',
  'detail',
] as const satisfies readonly (keyof Concern)[];
/** No column is on the right: the last one is a sentence. */
const RIGHT_FROM = Infinity;
const DECIMALS_SHOWN = /(\.\d\d)\d+$/;

/** Concerns as CSV. A figure that does not belong to a kind is empty. */
export function toHealthCsv({ as_of: asOf, currency, rows }: Health): string {
  return toCsv([
    ['as_of', 'currency', ...CSV_COLUMNS],
    ...rows.map((row) => [asOf, currency, ...CSV_COLUMNS.map((name) => String(row[name] ?? ''))]),
  ]);
}

/** Concerns as a table for people. */
export function toHealthTable({ as_of: asOf, currency, rows }: Health): string {
  if (rows.length === 0) return toLines(`No concerns as of ${asOf}.`);
  const amounts = ['plan', 'delivered', 'projected'].map((name) => `${name} ${currency}`);
  const head = ['concern', 'subject', ...amounts, 'since', 'what'];
  const lines = rows.map((row) => [
    row.kind,
    `${row.subject_kind} ${row.subject}`,
    shown(row.plan),
    shown(row.delivered),
    shown(row.projected),
    row.since ?? 'now',
    row.detail,
  ]);
  const count = rows.length === 1 ? '1 concern' : `${rows.length} concerns`;
  return `${textTable([head, ...lines], RIGHT_FROM)}${toLines(`${count} as of ${asOf}.`)}`;
}

/** An amount with two decimals, rounded down; JSON and CSV have all nine. */
function shown(amount: string | null): string {
  return amount === null ? '-' : amount.replace(DECIMALS_SHOWN, '$1');
}
