/** Milliseconds of a second, a minute, an hour and a (UTC, always 24 h) day. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

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

/** ISO 8601 with milliseconds and a trailing `Z`. Specification: General rules. */
export function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** A UTC day (see {@link dayOf}) as `YYYY-MM-DD`. */
export function dayToIso(day: number): string {
  return toIso(day * DAY_MS).slice(0, 10);
}
