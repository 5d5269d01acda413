import { CALENDAR_END_MS, toIso } from '@placard/service-kit/pure';

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The last instant that is written with four digits of its year. */
export const LATEST_MS = CALENDAR_END_MS - 1;

/**
 * Reads an ISO 8601 instant with a zone (`Z` or `+02:00`) as epoch ms; what is finer, up to nanoseconds, is cut off. Null for
 * anything else, a 30 February and years before 1970 included.
 */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second = '0',
    fraction = '0',
    sign,
    zoneHour = '0',
    zoneMinute = '0',
  ] = match;
  const dayMs = startOfDay(Number(year), Number(month), Number(day));
  if (dayMs === null) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(zoneHour) > 14 || Number(zoneMinute) > 59) return null;
  const timeMs =
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000 +
    Number(fraction.slice(0, 3).padEnd(3, '0'));
  const zoneMs = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
  const atMs = dayMs + timeMs - (sign === '-' ? -zoneMs : zoneMs);
  // The zone may lead out of the years that can be written.
  return atMs >= 0 && atMs <= LATEST_MS ? atMs : null;
}

/** Reads `YYYY-MM-DD` as the epoch ms at which that UTC day begins; null for anything else, days before 1970 included. */
export function parseDay(text: string): number | null {
  const match = DAY.exec(text);
  if (match === null) return null;
  return startOfDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** The one spelling of an instant in the stored catalog: UTC, with milliseconds only where there are any. */
export function instantText(atMs: number): string {
  return toIso(atMs).replace('.000Z', 'Z');
}

function startOfDay(year: number, month: number, day: number): number | null {
  const atMs = Date.UTC(year, month - 1, day);
  const date = new Date(atMs);
  const isReal = year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? atMs : null;
}
