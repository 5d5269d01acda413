import { formatNanos, toIso, type ReportKey } from '@placard/service-kit/pure';
import type { Schemas } from '../../manage/domain/operations.js';
import { ratiosOf, totalOf, type Counts, type Figures } from '../domain/figures.js';
import { UTC, zoneOf, type Zone } from '../domain/zone.js';
import type { Report } from '../usecase/get-report.js';

/** Shown for an unknown country, and accepted in filters. */
export const UNKNOWN_COUNTRY = 'unknown';

/** The report in its documented shape. Contract: docs/contract/operator-interface.md#report. */
export function toReport(report: Report, currency: string): Schemas['Report'] {
  const { asOfMs, fromMs, toMs, zone, previousRange, rows, total } = report;
  // Looked up once: it costs as much as hundreds of rows.
  const written = zoneOf(zone) ?? UTC;
  return {
    as_of: toIso(asOfMs),
    ...toRange({ fromMs, toMs }),
    zone,
    currency,
    ...(previousRange === null ? {} : { previous: toRange(previousRange) }),
    rows: rows.map((row) => ({
      ...keysOf(report, row.keys, written),
      names: namesOf(report, row.keys),
      ...toTotal(row),
    })),
    total: toTotal(total),
  };
}

function toRange({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  return { from: toIso(fromMs), to: toIso(toMs) };
}

function toTotal({ figures, previous }: Report['total']): Schemas['ReportTotal'] {
  return { ...toFigures(figures), ...(previous === null ? {} : { previous: toFigures(previous) }) };
}

function keysOf(
  { by }: Pick<Report, 'by'>,
  keys: readonly string[],
  zone: Zone,
): Partial<Record<ReportKey, string>> {
  const named = by.map((name, index) => {
    const value = keys[index] ?? '';
    if (name === 'country' && value === '') return [name, UNKNOWN_COUNTRY];
    return [name, name === 'hour' ? zone.write(Date.parse(value)) : value];
  });
  return Object.fromEntries(named) as Partial<Record<ReportKey, string>>;
}

function namesOf({ by, names }: Report, keys: readonly string[]): Schemas['ReportRow']['names'] {
  const found = by.map((key, index) => [key, names.get(`${key}/${keys[index] ?? ''}`)] as const);
  return Object.fromEntries(found.filter(([, name]) => name !== undefined));
}

function toFigures(figures: Figures): Schemas['ReportFigures'] {
  const { fillRate, showRate, ctr, ecpm } = ratiosOf(figures);
  return {
    requests: numberOf(figures.requests),
    fills: Number(figures.fills),
    no_fills: toCounts(figures.noFills),
    impressions: numberOf(figures.impressions),
    clicks: numberOf(figures.clicks),
    rewards: numberOf(figures.rewards),
    fallbacks: figures.fallbacks === null ? null : Number(totalOf(figures.fallbacks)),
    fallbacks_by_reason: toCounts(figures.fallbacks),
    rejected: toCounts(figures.rejected),
    errors: toCounts(figures.errors),
    spend: figures.spendNanos === null ? null : formatNanos(figures.spendNanos),
    revenue: figures.revenueNanos === null ? null : formatNanos(figures.revenueNanos),
    fill_rate: fillRate,
    show_rate: showRate,
    ctr,
    ecpm,
  };
}

function toCounts(counts: Counts | null): Readonly<Record<string, number>> | null {
  if (counts === null) return null;
  return Object.fromEntries([...counts].map(([reason, count]) => [reason, Number(count)]));
}

function numberOf(count: bigint | null): number | null {
  return count === null ? null : Number(count);
}
