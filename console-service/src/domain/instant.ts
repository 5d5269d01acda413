import { CALENDAR_END_MS, toIso } from '@placard/service-kit/pure';

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The last instant whose year has four digits. */
export const LATEST_MS = CALENDAR_END_MS - 1;

/**
 * Reads an ISO 8601 instant with a zone (`Z` or `+02:00`) as epoch ms. Micro- and nanoseconds are cut off. Null for any other
 * text, for days such as 30 February, and for years before 1970.
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
  // The zone may move the instant out of the valid years.
  return atMs >= 0 && atMs <= LATEST_MS ? atMs : null;
}

/** Reads `YYYY-MM-DD` as the epoch ms at which that UTC day begins; null for other texts and for days before 1970. */
export function parseDay(text: string): number | null {
  const match = DAY.exec(text);
  if (match === null) return null;
  return startOfDay(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** The normalized spelling of a stored instant: UTC, with milliseconds only when they are not zero. */
export function instantText(atMs: number): string {
  return toIso(atMs).replace('.000Z', 'Z');
}

function startOfDay(year: number, month: number, day: number): number | null {
  const atMs = Date.UTC(year, month - 1, day);
  const date = new Date(atMs);
  const isReal = year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? atMs : null;
}
