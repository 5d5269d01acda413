import type { GetStatementResponse } from '@placard/protos/console/v1/console.js';
import { AccountKind, type StatementLine } from '@placard/protos/events/v1/events.js';
import { dayToIso, formatNanos, parseAmount, toIso } from '@placard/service-kit/pure';
import { accountText } from '../domain/account-name.js';
import { kindName } from './account-kinds.js';
import { CommandError } from '../../cli/command-error.js';
import { freeText, toCsv } from '../../cli/csv.js';
import { textTable } from '../../cli/text-table.js';
import { toLines } from '../../cli/to-lines.js';

/** The JSON form of a statement, documented in docs/cli.md. Amounts are decimal texts with nine decimals. */
export interface StatementShape {
  readonly account: { readonly kind: string; readonly id: string };
  readonly month: string;
  readonly as_of: string;
  readonly opening_balance: string;
  readonly lines: readonly StatementLineShape[];
  readonly closing_balance: string;
}

/** A line of a statement. Fields that do not apply to its kind are null. */
export interface StatementLineShape {
  readonly day: string;
  readonly kind: string;
  readonly reference: string | null;
  readonly counter_account: string | null;
  readonly reason: string | null;
  readonly campaign: string | null;
  readonly app: string | null;
  readonly impressions: number | null;
  readonly amount: string;
  /** The balance after this line. */
  readonly balance: string;
}

const UNREADABLE = 'the instance sent an answer that is not a statement. Update the command or the instance.';

/** Converts the answer into its documented shape, with the balance after each line. */
export function toStatement(month: string, response: GetStatementResponse): StatementShape {
  const { statement } = response;
  if (statement === undefined) throw new CommandError(UNREADABLE);
  const kind = kindName(response.kind);
  let balance = nanosOf(statement.opening);
  const lines = statement.lines.map((line) => {
    balance += nanosOf(line.amount);
    return toLine(line, formatNanos(balance));
  });
  return {
    account: { kind, id: response.accountId },
    month,
    as_of: toIso(Number(statement.asOfMs)),
    opening_balance: statement.opening,
    lines,
    closing_balance: statement.closing,
  };
}

function toLine(line: StatementLine, balance: string): StatementLineShape {
  const isSummed = line.kind === 'impression';
  return {
    day: dayToIso(Number(line.day)),
    kind: line.kind,
    reference: textOrNull(line.reference),
    counter_account: counterOf(line),
    reason: textOrNull(line.reason),
    campaign: textOrNull(line.campaignId),
    app: textOrNull(line.appId),
    impressions: isSummed ? Number(line.impressions) : null,
    amount: line.amount,
    balance,
  };
}

function counterOf({ counterKind, counterId }: StatementLine): string | null {
  if (counterKind === AccountKind.UNSPECIFIED) return null;
  return accountText({ kind: kindName(counterKind), id: counterId });
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}

function nanosOf(amount: string): bigint {
  const nanos = parseAmount(amount);
  if (nanos === null) throw new CommandError(UNREADABLE);
  return nanos;
}

const CSV_HEAD = [
  ...['day', 'kind', 'reference', 'counter_account', 'reason', 'campaign', 'app', 'impressions', 'amount'],
  'balance',
];

/** A statement as CSV. The first row after the head is the opening balance, the last row the closing balance. */
export function toStatementCsv(statement: StatementShape): string {
  const balanceRow = (kind: string, balance: string): string[] => [
    '',
    kind,
    ...['', '', '', '', '', '', ''],
    balance,
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
    ]),
    balanceRow('closing_balance', statement.closing_balance),
  ]);
}

/** A statement as a table for people. */
export function toStatementTable(statement: StatementShape): string {
  const { account, month, as_of: asOf } = statement;
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
  return `${toLines(`${accountText(account)}, ${month} (UTC), as of ${asOf}`)}${textTable(
    [
      ['day', 'kind', 'what', 'impressions', 'amount', 'balance'],
      ['', 'opening balance', '', '', '', statement.opening_balance],
      ...rows,
      ['', 'closing balance', '', '', '', statement.closing_balance],
    ],
    3,
  )}`;
}
