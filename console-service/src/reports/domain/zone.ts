import { HOUR_MS, toIso } from '@placard/service-kit/pure';
import { DateTime, IANAZone } from 'luxon';

/** The days of a time zone. A day is `YYYY-MM-DD`; instants are epoch ms. */
export interface Zone {
  /** IANA name: `Europe/Vienna`. */
  readonly name: string;
  readonly isUtc: boolean;
  /** The first instant of a day. */
  beginOf(day: string): number;
  /** The day of an instant. */
  dayOf(atMs: number): string;
  /** The day that is this many days later, or earlier when negative. */
  later(day: string, days: number): string;
  /** An instant as ISO 8601 with the offset of the zone, without milliseconds: `2026-10-25T02:00:00+01:00`. */
  write(atMs: number): string;
}

const NAME = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/;

/** The zone of a name of the IANA database, in any letter case. Null: it has none of that name. */
export function zoneOf(name: string): Zone | null {
  if (!NAME.test(name) || !IANAZone.isValidZone(name)) return null;
  const zone = IANAZone.create(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  const at = (text: string): DateTime => {
    const [year, month, day] = text.split('-').map(Number);
    return DateTime.fromObject({ year, month, day }, { zone }).startOf('day');
  };
  const dayText = (date: DateTime): string => date.toFormat('yyyy-MM-dd');
  const isUtc = zone.name === 'UTC';
  return {
    name: zone.name,
    isUtc,
    beginOf: (day) => at(day).toMillis(),
    dayOf: (atMs) => dayText(DateTime.fromMillis(atMs, { zone })),
    later: (day, days) => dayText(at(day).plus({ days })),
    write: (atMs) =>
      isUtc
        ? toIso(atMs).replace('.000Z', 'Z')
        : (DateTime.fromMillis(atMs, { zone }).toISO({ suppressMilliseconds: true }) ?? ''),
  };
}

/** The zone of reports without another. */
export const UTC: Zone = requireZone('UTC');

function requireZone(name: string): Zone {
  const zone = zoneOf(name);
  if (zone === null) throw new Error(`Node.js lacks the time zone ${name}`);
  return zone;
}

/** Whether an instant is the begin of an hour of UTC, by which counts are kept. */
export function isWholeHour(atMs: number): boolean {
  return atMs % HOUR_MS === 0;
}
