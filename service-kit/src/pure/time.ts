/** Milliseconds of a second, a minute, an hour and a (UTC, always 24 h) day. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The instant at which the year 9999 is over. Nothing at or behind it is written with four digits of its year. */
export const CALENDAR_END_MS = Date.UTC(10_000, 0, 1);

/** Whole minutes since 1970-01-01 UTC. */
export function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

/** Whole hours since 1970-01-01 UTC. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS);
}

/** Whole UTC days since 1970-01-01. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** ISO 8601 with milliseconds and a trailing `Z`. Contract: docs/contract/sdk-api.md#general-rules. */
export function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** A UTC day (see {@link dayOf}) as `YYYY-MM-DD`; the one behind the calendar's last as `10000-01-01`. */
export function dayToIso(day: number): string {
  return toIso(day * DAY_MS)
    .replace(/T.*$/, '')
    .replace(/^\+0*/, '');
}
