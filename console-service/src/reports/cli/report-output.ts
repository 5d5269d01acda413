import {
  FALLBACK_REASONS,
  INTEGRATION_ERRORS,
  REJECTION_REASONS,
  REPORTED_NO_FILL_REASONS,
  type ReportKey,
} from '@placard/service-kit/pure';
import { freeText, toCsv } from '../../cli/csv.js';
import { textTable } from '../../cli/text-table.js';
import type { Schemas } from '../../manage/domain/operations.js';
import {
  COUNT_COLUMNS,
  DECIMAL_COLUMNS,
  reasonColumns,
  usedReasonColumns,
  type Column,
} from './report-columns.js';

type Report = Schemas['Report'];
type NamedKey = keyof Report['rows'][number]['names'];

const { requests, fills, impressions, clicks, rewards, fallbacks, noFills, rejected, errors } = COUNT_COLUMNS;
const { spend, revenue, fillRate, showRate, ctr, ecpm } = DECIMAL_COLUMNS;

/** Every column of figures in CSV. New ones come last, so that a column keeps its place. */
const CSV_COLUMNS: readonly Column[] = [
  requests,
  fills,
  ...reasonColumns('no_fills', REPORTED_NO_FILL_REASONS),
  impressions,
  clicks,
  rewards,
  fallbacks,
  ...reasonColumns('rejected', REJECTION_REASONS),
  spend,
  revenue,
  ...reasonColumns('fallbacks_by_reason', FALLBACK_REASONS),
  ...reasonColumns('errors', INTEGRATION_ERRORS),
  fillRate,
  showRate,
  ctr,
  ecpm,
];

/**
 * The report as CSV: one column per reason; an empty cell where a figure cannot be split by one of the keys. It has no total,
 * because its readers add rows up. Each row has the range that it covers and the currency of its amounts.
 */
export function toReportCsv(by: readonly ReportKey[], report: Report): string {
  const named = by.filter(isNamedKey);
  const { previous } = report;
  const range = [report.from, report.to, report.zone, ...(previous ? [previous.from, previous.to] : [])];
  const head = [
    ...by,
    ...CSV_COLUMNS.map(({ name }) => name),
    ...named.map((key) => `${key}_name`),
    ...(previous ? CSV_COLUMNS.map(({ name }) => `previous.${name}`) : []),
    ...['from', 'to', 'zone'],
    ...(previous ? ['previous.from', 'previous.to'] : []),
    'currency',
  ];
  const rows = report.rows.map((row) => [
    ...by.map((key) => row[key] ?? ''),
    ...CSV_COLUMNS.map(({ of }) => of(row) ?? ''),
    ...named.map((key) => freeText(row.names[key] ?? '')),
    ...(row.previous ? CSV_COLUMNS.map(({ of }) => of(row.previous ?? row) ?? '') : []),
    ...range,
    report.currency,
  ]);
  return toCsv([head, ...rows]);
}

/** The figures of the range before that a table shows. */
const COMPARED_COLUMNS: readonly Column[] = [requests, fills, impressions, clicks, spend, revenue, ecpm];

/**
 * The report for a person, with a total where it has several rows; `-` where a figure cannot be split by one of the keys.
 * Reasons have columns where they occur. The head names the currency of amounts.
 */
export function toReportTable(by: readonly ReportKey[], report: Report): string {
  const { rows, total, previous, currency } = report;
  const columns = tableColumns([...rows, total]);
  const compared = previous === undefined ? [] : COMPARED_COLUMNS;
  const cells = (row: Schemas['ReportTotal']): string[] => [
    ...columns.map(({ of }) => of(row) ?? '-'),
    ...compared.map(({ of }) => (row.previous ? of(row.previous) : null) ?? '-'),
  ];
  const head = [
    ...by.flatMap((key) => (isNamedKey(key) ? [key, 'name'] : [key])),
    ...columns.map((column) => titleOf(column, currency)),
    ...compared.map((column) => `before: ${titleOf(column, currency)}`),
  ];
  const keyCount = head.length - columns.length - compared.length;
  const lines = rows.map((row) => [
    ...by.flatMap((key) => (isNamedKey(key) ? [row[key] ?? '', row.names[key] ?? ''] : [row[key] ?? ''])),
    ...cells(row),
  ]);
  const totals = by.length === 0 ? [] : [['total', ...Array<string>(keyCount - 1).fill(''), ...cells(total)]];
  return `${rangeText(report)}\n${textTable([head, ...lines, ...totals], keyCount)}`;
}

function tableColumns(rows: readonly Schemas['ReportFigures'][]): readonly Column[] {
  return [
    requests,
    fills,
    fillRate,
    noFills,
    ...usedReasonColumns('no_fills', rows),
    impressions,
    showRate,
    clicks,
    ctr,
    rewards,
    fallbacks,
    ...usedReasonColumns('fallbacks_by_reason', rows),
    rejected,
    ...usedReasonColumns('rejected', rows),
    errors,
    ...usedReasonColumns('errors', rows),
    spend,
    revenue,
    ecpm,
  ];
}

/** The columns of amounts. */
const AMOUNT_COLUMNS: readonly Column[] = [spend, revenue, ecpm];

function titleOf(column: Column, currency: string): string {
  return AMOUNT_COLUMNS.includes(column) ? `${column.name} ${currency}` : column.name;
}

function rangeText({ as_of: asOf, from, to, zone, previous }: Report): string {
  const days = zone === 'UTC' ? '' : `, days of ${zone}`;
  const before = previous === undefined ? '' : `, before: ${previous.from} to ${previous.to}`;
  return `${from} to ${to}${days}, as of ${asOf}${before}`;
}

const NAMED_KEYS: readonly NamedKey[] = ['publisher', 'app', 'advertiser', 'campaign'];

function isNamedKey(key: ReportKey): key is NamedKey {
  return NAMED_KEYS.some((named) => named === key);
}
