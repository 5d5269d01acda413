import { accountText } from '../domain/account-name.js';
import { freeText, toCsv } from '../../cli/csv.js';
import type { Schemas } from '../../manage/domain/operations.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';

const CSV_HEAD = [
  ...['day', 'kind', 'reference', 'counter_account', 'reason', 'campaign', 'app', 'impressions', 'amount'],
  ...['balance', 'account', 'month', 'currency', 'number'],
];

/**
 * A statement as CSV. Each row ends with account, month, currency and number of the statement. The first row after the head is
 * the opening balance, the last row the closing balance.
 */
export function toStatementCsv(statement: Schemas['Statement']): string {
  const { account, month, currency, number } = statement;
  const about = [accountText(account), month, currency, number === null ? '' : String(number)];
  const balanceRow = (kind: string, balance: string): string[] => [
    '',
    kind,
    ...['', '', '', '', '', '', ''],
    balance,
    ...about,
  ];
  return toCsv([
    CSV_HEAD,
    balanceRow('opening_balance', statement.opening_balance),
    ...statement.lines.map((line) => [
      line.day,
      line.kind,
      freeText(line.reference ?? ''),
      line.counter_account ?? '',
      freeText(line.reason ?? ''),
      line.campaign ?? '',
      line.app ?? '',
      line.impressions === null ? '' : String(line.impressions),
      line.amount,
      line.balance,
      ...about,
    ]),
    balanceRow('closing_balance', statement.closing_balance),
  ]);
}

/** A statement as a table for people. */
export function toStatementTable(statement: Schemas['Statement']): string {
  const { account, month, currency, number, as_of: asOf } = statement;
  const title = `${accountText(account)}, ${month} (UTC), ${currency}, as of ${asOf}`;
  const rows = statement.lines.map((line) => [
    line.day,
    line.kind,
    [line.campaign, line.app, line.reference, line.counter_account, line.reason]
      .filter((text) => text !== null)
      .join(' · '),
    line.impressions === null ? '' : String(line.impressions),
    line.amount,
    line.balance,
  ]);
  return `${toLines(number === null ? title : `statement ${number}: ${title}`)}${textTable(
    [
      ['day', 'kind', 'what', 'impressions', `amount ${currency}`, `balance ${currency}`],
      ['', 'opening balance', '', '', '', statement.opening_balance],
      ...rows,
      ['', 'closing balance', '', '', '', statement.closing_balance],
    ],
    3,
  )}`;
}
