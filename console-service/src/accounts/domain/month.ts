import { dayOf } from '@placard/service-kit/pure';

/** A UTC month as half-open UTC days since 1970. */
export interface MonthDays {
  readonly fromDay: number;
  readonly toDay: number;
}

/** Reads a month such as `2026-11`; null when the text is not a month. */
export function readMonth(text: string): MonthDays | null {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  if (match === null) return null;
  const [year, month] = [Number(match[1]), Number(match[2])];
  if (year < 1970) return null;
  return { fromDay: dayOf(Date.UTC(year, month - 1)), toDay: dayOf(Date.UTC(year, month)) };
}
