import type { AdFormat } from '@placard/service-kit/pure';

/** Half hours of a UTC day. */
export const HALF_HOURS = 48;
/** Most whole days before today from which a curve is learned. */
export const LEARNED_DAYS_MAX = 14;
/** A curve from fewer days is not proven. */
const PROVEN_DAYS_MIN = 7;
/** Most last days that the days before them must predict. */
const TESTED_DAYS_MAX = 7;
/** Largest relative error of the prediction for the final quarter of those days. */
const OFF_MAX = 0.1;
/** The weight of the straight line that is mixed into a curve, in requests. */
const STRAIGHT_LINE_REQUESTS = 2_000;
const FINAL_QUARTER_FROM = (HALF_HOURS * 3) / 4;

/** The key of a curve: category of the app (empty: none) and format of the placement. */
export interface TrafficGroup {
  readonly category: string;
  readonly format: AdFormat;
}

/** One whole UTC day of a group: requests of each of the 48 half hours. */
export interface TrafficDay extends TrafficGroup {
  /** Since 1970. */
  readonly day: number;
  readonly requests: readonly number[];
}

/** The learned day of a group. */
export interface TrafficCurve extends TrafficGroup {
  /** Requests of a mean day. */
  readonly requestsPerDay: number;
  /** 48 shares that sum to 1. */
  readonly shares: readonly number[];
  /** There are enough days, and earlier days predicted the last ones. */
  readonly isProven: boolean;
}

/** Learns one curve for each group from its days, in any order. Days without a request do not count. */
export function learnCurves(days: readonly TrafficDay[]): readonly TrafficCurve[] {
  const groups = new Map<string, TrafficDay[]>();
  for (const day of days) {
    if (sumOf(day.requests) === 0) continue;
    const key = `${day.format}|${day.category}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [day]);
    else group.push(day);
  }
  return [...groups.values()].map((group) => learnCurve(group.sort((a, b) => a.day - b.day)));
}

function learnCurve(days: readonly TrafficDay[]): TrafficCurve {
  const total = totalOf(days);
  const requests = sumOf(total);
  const weight = requests / (requests + STRAIGHT_LINE_REQUESTS);
  const { category, format } = days[0] as TrafficDay;
  return {
    category,
    format,
    requestsPerDay: requests / days.length,
    shares: total.map((count) => (weight * count) / requests + (1 - weight) / HALF_HOURS),
    isProven: isProven(days),
  };
}

/** Whether earlier days predict the final quarter of the last days. Days are in order. */
function isProven(days: readonly TrafficDay[]): boolean {
  if (days.length < PROVEN_DAYS_MIN) return false;
  const tested = Math.min(TESTED_DAYS_MAX, Math.floor(days.length / 2));
  const told = finalQuarterOf(days.slice(0, -tested));
  const seen = finalQuarterOf(days.slice(-tested));
  return Math.abs(told - seen) <= OFF_MAX * seen;
}

function finalQuarterOf(days: readonly TrafficDay[]): number {
  const total = totalOf(days);
  return sumOf(total.slice(FINAL_QUARTER_FROM)) / sumOf(total);
}

function totalOf(days: readonly TrafficDay[]): readonly number[] {
  return Array.from({ length: HALF_HOURS }, (_, at) => sumOf(days.map(({ requests }) => requests[at] ?? 0)));
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
