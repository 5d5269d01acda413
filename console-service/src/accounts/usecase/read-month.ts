import { appError } from '@placard/service-kit';
import { readMonth, type MonthDays } from '../domain/month.js';

/** Reads a month such as `2026-11`. Error `invalid_argument`. */
export function readMonthOrRefuse(text: string): MonthDays {
  const days = readMonth(text);
  if (days !== null) return days;
  throw appError(
    'invalid_argument',
    `${text} is not a month from 1970-01 to 9999-12. Write it such as 2026-11.`,
  );
}
