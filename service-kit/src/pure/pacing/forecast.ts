import type { AdFormat } from '../catalog/catalog-words.js';
import { DAY_SHARES, makeDayCurve, straightLine, type DayCurve } from './day-curve.js';

/** How far a plan runs ahead of an unproven curve. If the traffic ends early, less of the budget remains unspent. */
export const AHEAD_UNPROVEN = 1.25;
/** A mixed curve counts as proven when proven groups carry at least this share of its traffic. */
const PROVEN_TRAFFIC_MIN = 0.9;

/** The forecast of a campaign's traffic: its curve, and how far the plan runs ahead of the curve. */
export interface Forecast {
  readonly curve: DayCurve;
  /** The factor by which the plan runs ahead. 1: not at all. */
  readonly ahead: number;
}

/** The forecast without any data: a straight line, 25 % ahead. */
export const UNKNOWN_TRAFFIC: Forecast = { curve: straightLine, ahead: AHEAD_UNPROVEN };

/** The learned day of one app category and format. */
export interface TrafficGroup {
  /** Null: apps without a category. */
  readonly category: string | null;
  readonly format: AdFormat;
  /** Requests of a mean day that have passed targeting and caps. */
  readonly requestsPerDay: number;
  /** The share of each half hour of the UTC day, 48 shares. */
  readonly shares: readonly number[];
  readonly isProven: boolean;
}

/** The groups in which a campaign may be served. */
export interface Reach {
  readonly formats: readonly AdFormat[];
  /** Empty: any, and apps without a category too. */
  readonly categories: readonly string[];
}

/** The mix of the groups in which a campaign may be served, weighted by their traffic. */
export function forecastOf(groups: readonly TrafficGroup[], reach: Reach): Forecast {
  const weights = new Array<number>(DAY_SHARES).fill(0);
  let requests = 0;
  let proven = 0;
  for (const group of groups) {
    if (!isReached(group, reach) || group.shares.length !== DAY_SHARES || !(group.requestsPerDay > 0))
      continue;
    requests += group.requestsPerDay;
    if (group.isProven) proven += group.requestsPerDay;
    for (const [at, share] of group.shares.entries()) {
      weights[at] = (weights[at] as number) + share * group.requestsPerDay;
    }
  }
  if (requests === 0) return UNKNOWN_TRAFFIC;
  const isProven = proven >= PROVEN_TRAFFIC_MIN * requests;
  return { curve: makeDayCurve(weights), ahead: isProven ? 1 : AHEAD_UNPROVEN };
}

function isReached({ category, format }: TrafficGroup, { formats, categories }: Reach): boolean {
  if (!formats.includes(format)) return false;
  return categories.length === 0 || (category !== null && categories.includes(category));
}
