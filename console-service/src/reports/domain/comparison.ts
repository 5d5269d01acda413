import { DAY_MS, HOUR_MS, type ReportKey } from '@placard/service-kit/pure';
import type { CountedRow } from './report-rows.js';
import type { Zone } from './zone.js';

/** How far a range lies behind the range before: by its begins (epoch ms), and the zone of its days. */
export interface Shift {
  readonly zone: Zone;
  /** Begin of the range before. */
  readonly fromMs: number;
  /** Begin of the range. */
  readonly toMs: number;
}

/**
 * Rows of the range before with the days and hours of the range in their place: the first day for the first, and each hour for
 * the one at the same distance from the begin. So equal keys are compared.
 */
export function inPlace(
  rows: readonly CountedRow[],
  by: readonly ReportKey[],
  shift: Shift,
): readonly CountedRow[] {
  const move = by.map((key): ((value: string) => string) => {
    if (key === 'day') return dayMover(shift);
    if (key === 'hour') return (hour) => hourText(Date.parse(hour) + shift.toMs - shift.fromMs);
    return (value) => value;
  });
  return rows.map(({ keys, figures }) => ({
    keys: keys.map((value, place) => move[place]?.(value) ?? value),
    figures,
  }));
}

function dayMover({ zone, fromMs, toMs }: Shift): (day: string) => string {
  const days = Math.round((Date.parse(zone.dayOf(toMs)) - Date.parse(zone.dayOf(fromMs))) / DAY_MS);
  return (day) => zone.later(day, days);
}

/** An hour as events-service writes it. */
function hourText(atMs: number): string {
  return `${new Date(Math.round(atMs / HOUR_MS) * HOUR_MS).toISOString().slice(0, 19)}Z`;
}
