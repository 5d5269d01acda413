import { DAY_MS, dayOf, HOUR_MS } from '@placard/service-kit/pure';

/** A half-open range of instants in epoch ms, of whole hours. */
export interface ReportRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const DEFAULT_DAYS = 7;

/**
 * The range of a report: what was asked, widened to whole hours; by default the last seven UTC days, today included.
 * Null when it would be empty. Rulings: Reports.
 */
export function reportRange(
  asked: { readonly fromMs: number | null; readonly toMs: number | null },
  nowMs: number,
): ReportRange | null {
  const tomorrowMs = (dayOf(nowMs) + 1) * DAY_MS;
  const toMs = Math.ceil((asked.toMs ?? Math.max(tomorrowMs, asked.fromMs ?? 0)) / HOUR_MS) * HOUR_MS;
  const fromMs = Math.floor((asked.fromMs ?? toMs - DEFAULT_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  return fromMs < toMs ? { fromMs, toMs } : null;
}
