import { HOUR_MS } from '@placard/service-kit/pure';
import { LATEST_MS } from '../../domain/instant.js';
import type { When } from './when.js';
import { isWholeHour, type Zone } from './zone.js';

/** A half-open range of whole hours in epoch ms, up to the end of the year 9999. */
export interface ReportRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A named day and its first instant (epoch ms). */
export interface NamedDay {
  readonly name: string;
  readonly fromMs: number;
}

/** The requested ends of a range. Null: the default. */
export interface AskedRange {
  readonly from: When | null;
  readonly to: When | null;
}

/** Most days of a range that is split by the days of a zone: three years. events-service has the same bound. */
export const ZONE_DAYS_MAX = 1_100;

const DEFAULT_DAYS = 7;

/**
 * The range of a report: the requested range, widened to whole hours; by default the last seven days of the zone including
 * today. Null when the requested range is empty, also within one hour. Contract: docs/contract/reports.md#range.
 */
export function reportRange(asked: AskedRange, zone: Zone, nowMs: number): ReportRange | null {
  const today = zone.dayOf(nowMs);
  const askedToMs = asked.to === null ? zone.beginOf(zone.later(today, 1)) : endOf(asked.to, zone);
  const toMs = Math.ceil(askedToMs / HOUR_MS) * HOUR_MS;
  const askedFromMs = asked.from === null ? defaultFrom(toMs, zone) : beginOf(asked.from, zone);
  if (askedFromMs >= askedToMs) return null;
  return {
    fromMs: Math.max(0, Math.floor(askedFromMs / HOUR_MS) * HOUR_MS),
    toMs: Math.min(toMs, LATEST_MS),
  };
}

/** Six days before the day that the last instant belongs to; from 1970 on. */
function defaultFrom(toMs: number, zone: Zone): number {
  const lastDay = zone.dayOf(Math.max(0, toMs - 1));
  const isWholeDay = zone.beginOf(zone.later(lastDay, 1)) === toMs;
  const firstDay = zone.later(lastDay, 1 - DEFAULT_DAYS);
  return Math.max(0, isWholeDay ? zone.beginOf(firstDay) : toMs - DEFAULT_DAYS * 24 * HOUR_MS);
}

/** The first instant of an end of a range. */
export function beginOf(when: When, zone: Zone): number {
  return 'day' in when ? zone.beginOf(when.day) : when.atMs;
}

/** The first instant behind an end of a range. A day is included. */
export function endOf(when: When, zone: Zone): number {
  return 'day' in when ? zone.beginOf(zone.later(when.day, 1)) : when.atMs;
}

/** The days of a range; the first may begin before the range. Null: there are more than {@link ZONE_DAYS_MAX}. */
export function daysOf({ fromMs, toMs }: ReportRange, zone: Zone): readonly NamedDay[] | null {
  const days: NamedDay[] = [];
  let day = namedDay(zone.dayOf(fromMs), zone);
  while (day.fromMs < toMs) {
    if (days.length === ZONE_DAYS_MAX) return null;
    days.push(day);
    day = namedDay(zone.later(day.name, 1), zone);
  }
  return days;
}

/** The days at both ends of a range. */
export function endDays({ fromMs, toMs }: ReportRange, zone: Zone): readonly NamedDay[] {
  return [fromMs, toMs].map((atMs) => namedDay(zone.dayOf(atMs), zone));
}

function namedDay(name: string, zone: Zone): NamedDay {
  return { name, fromMs: zone.beginOf(name) };
}

/** The day whose begin is not a whole hour of UTC, by which counts are kept. Null: all begin at one. */
export function brokenDay(days: readonly NamedDay[]): NamedDay | null {
  return days.find(({ fromMs }) => !isWholeHour(fromMs)) ?? null;
}

/** Whether the range begins and ends with days of the zone. */
export function isWholeDays({ fromMs, toMs }: ReportRange, zone: Zone): boolean {
  return [fromMs, toMs].every((atMs) => zone.beginOf(zone.dayOf(atMs)) === atMs);
}

/**
 * The range before: as many days of the zone when the range is whole days, otherwise as many hours. Null: it would begin
 * before 1970. Contract: docs/contract/reports.md#comparison.
 */
export function previousRange(range: ReportRange, zone: Zone): ReportRange | null {
  const { fromMs, toMs } = range;
  let previousMs = fromMs - (toMs - fromMs);
  if (isWholeDays(range, zone)) {
    const count = Math.round((toMs - fromMs) / (24 * HOUR_MS));
    previousMs = zone.beginOf(zone.later(zone.dayOf(fromMs), -count));
  }
  return previousMs < 0 ? null : { fromMs: previousMs, toMs: fromMs };
}
