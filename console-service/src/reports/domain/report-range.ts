import { DAY_MS, dayOf, HOUR_MS } from '@placard/service-kit/pure';
import { LATEST_MS } from '../../domain/instant.js';

/** A half-open range of whole hours in epoch ms, up to the end of the year 9999. */
export interface ReportRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const DEFAULT_DAYS = 7;

/**
 * The range of a report: the requested range, widened to whole hours; by default the last seven UTC days including today.
 * Null when the requested range is empty, also within one hour. Contract: docs/contract/reports.md#range.
 */
export function reportRange(
  asked: { readonly fromMs: number | null; readonly toMs: number | null },
  nowMs: number,
): ReportRange | null {
  const tomorrowMs = (dayOf(nowMs) + 1) * DAY_MS;
  const askedToMs = asked.toMs ?? tomorrowMs;
  const toMs = Math.ceil(askedToMs / HOUR_MS) * HOUR_MS;
  const askedFromMs = asked.fromMs ?? Math.max(0, toMs - DEFAULT_DAYS * DAY_MS);
  if (askedFromMs >= askedToMs) return null;
  return { fromMs: Math.floor(askedFromMs / HOUR_MS) * HOUR_MS, toMs: Math.min(toMs, LATEST_MS) };
}
