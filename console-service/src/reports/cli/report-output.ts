import type { ReportResponse } from '@placard/protos/console/v1/console.js';
import type { ReportRow } from '@placard/protos/events/v1/events.js';
import { formatNanos, NO_FILL_REASONS, REJECTION_REASONS, toIso } from '@placard/service-kit/pure';
import { toCsv } from '../../cli/csv.js';
import { textTable } from '../../cli/text-table.js';

/** Shown for an unknown country. */
const UNKNOWN_COUNTRY = 'unknown';

type Counts = Readonly<Record<string, number>> | null;

/** The report as JSON. Contract: docs/contract/operator-interface.md#report. */
export function toReportJson(by: readonly string[], report: ReportResponse): string {
  const shape = {
    as_of: isoOf(report.asOfMs),
    from: isoOf(report.fromMs),
    to: isoOf(report.toMs),
    rows: report.rows.map((row) => ({
      ...Object.fromEntries(by.map((name, index) => [name, keysOf(by, row)[index]])),
      requests: countOrNull(row.requests),
      fills: Number(row.fills),
      no_fills: noFillsOf(row),
      impressions: Number(row.impressions),
      clicks: Number(row.clicks),
      rewards: Number(row.rewards),
      fallbacks: countOrNull(row.fallbacks),
      rejected: rejectedOf(row),
      spend: formatNanos(row.spendNanos),
      revenue: formatNanos(row.revenueNanos),
    })),
  };
  return `${JSON.stringify(shape, null, 2)}\n`;
}

/** The report as CSV: one column per reason; an empty cell where a figure cannot be split by one of the keys. */
export function toReportCsv(by: readonly string[], report: ReportResponse): string {
  const head = [
    ...by,
    'requests',
    'fills',
    ...NO_FILL_REASONS.map((reason) => `no_fills.${reason}`),
    'impressions',
    'clicks',
    'rewards',
    'fallbacks',
    ...REJECTION_REASONS.map((reason) => `rejected.${reason}`),
    'spend',
    'revenue',
  ];
  const rows = report.rows.map((row) => [
    ...keysOf(by, row),
    cell(countOrNull(row.requests)),
    row.fills.toString(),
    ...NO_FILL_REASONS.map((reason) => countCell(noFillsOf(row), reason)),
    row.impressions.toString(),
    row.clicks.toString(),
    row.rewards.toString(),
    cell(countOrNull(row.fallbacks)),
    ...REJECTION_REASONS.map((reason) => countCell(rejectedOf(row), reason)),
    formatNanos(row.spendNanos),
    formatNanos(row.revenueNanos),
  ]);
  return toCsv([head, ...rows]);
}

/** The report for a person; `-` where a figure cannot be split by one of the keys. */
export function toReportTable(by: readonly string[], report: ReportResponse): string {
  const head = [
    ...by,
    ...['requests', 'fills', 'no-fills', 'impressions', 'clicks', 'rewards', 'fallbacks', 'rejected'],
    ...['spend', 'revenue'],
  ];
  const rows = report.rows.map((row) => [
    ...keysOf(by, row),
    cell(countOrNull(row.requests), '-'),
    row.fills.toString(),
    cell(total(noFillsOf(row)), '-'),
    row.impressions.toString(),
    row.clicks.toString(),
    row.rewards.toString(),
    cell(countOrNull(row.fallbacks), '-'),
    cell(total(rejectedOf(row)), '-'),
    formatNanos(row.spendNanos),
    formatNanos(row.revenueNanos),
  ]);
  const range = `${isoOf(report.fromMs)} to ${isoOf(report.toMs)}, as of ${isoOf(report.asOfMs)}\n`;
  return range + textTable([head, ...rows], by.length);
}

function keysOf(by: readonly string[], { keys }: ReportRow): readonly string[] {
  return by.map((name, index) => {
    const value = keys[index] ?? '';
    return name === 'country' && value === '' ? UNKNOWN_COUNTRY : value;
  });
}

function noFillsOf(row: ReportRow): Counts {
  return row.hasNoFills ? countsOf(row.noFills) : null;
}

function rejectedOf(row: ReportRow): Counts {
  return row.hasRejected ? countsOf(row.rejected) : null;
}

function countsOf(map: ReportRow['noFills']): Readonly<Record<string, number>> {
  const entries = Object.entries(map).map(([reason, count]) => [reason, Number(count)] as const);
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}

function countOrNull(count: bigint | undefined): number | null {
  return count === undefined ? null : Number(count);
}

function total(counts: Counts): number | null {
  return counts === null ? null : Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function countCell(counts: Counts, reason: string): string {
  return counts === null ? '' : String(counts[reason] ?? 0);
}

function cell(count: number | null, none = ''): string {
  return count === null ? none : String(count);
}

function isoOf(atMs: bigint): string {
  return toIso(Number(atMs));
}
