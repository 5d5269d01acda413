/** Milliseconds of a second, a minute, an hour and a UTC day (always 24 h). */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The end of the year 9999. From this instant on, a year has more than four digits. */
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

/** A UTC day (see {@link dayOf}) as `YYYY-MM-DD`. The day after the last one of the calendar is `10000-01-01`. */
export function dayToIso(day: number): string {
  return toIso(day * DAY_MS)
    .replace(/T.*$/, '')
    .replace(/^\+0*/, '');
}
