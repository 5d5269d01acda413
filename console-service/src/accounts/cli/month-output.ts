import { toCsv } from '../../cli/csv.js';
import { textTable } from '../../cli/text-table.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { accountText } from '../domain/account-name.js';

/** A closed month with rows of its statements. */
export type ShownMonth = Schemas['ClosedMonth'] & { readonly rows: readonly Schemas['MonthStatement'][] };

const HEAD = [
  ...['number', 'account', 'opening_balance', 'impressions', 'deposits', 'adjustments', 'payouts', 'refunds'],
  ...['closing_balance', 'due', 'open'],
];

/** Statements as CSV. Each row says which month and currency it is about. */
export function toStatementsCsv({ month, currency, rows }: ShownMonth): string {
  return toCsv([['month', 'currency', ...HEAD], ...rows.map((row) => [month, currency, ...toCells(row)])]);
}

/** Statements as a table for people. The head names the currency. */
export function toStatementsTable({ currency, rows }: ShownMonth): string {
  const head = HEAD.map((name) => (name === 'number' || name === 'account' ? name : `${name} ${currency}`));
  return textTable([head, ...rows.map(toCells)], 2);
}

function toCells(row: Schemas['MonthStatement']): readonly string[] {
  return [
    String(row.number),
    accountText(row.account),
    row.opening_balance,
    row.impressions,
    row.deposits,
    row.adjustments,
    row.payouts,
    row.refunds,
    row.closing_balance,
    row.due ?? '',
    row.open ?? '',
  ];
}
