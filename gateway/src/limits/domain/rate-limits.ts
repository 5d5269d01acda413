/** A property by which a limit counts requests. Contract: docs/contract/rate-limits.md#limits-per-minute. */
export type LimitDimension = 'network' | 'app_key' | 'session' | 'request_id';
/** A group of endpoints with common buckets. Contract: docs/contract/rate-limits.md#limits-on-events. */
export type LimitGroup =
  'sdk.initialize' | 'ads.request' | 'events' | 'events.fallback' | 'creatives' | 'manage' | 'login';

/** Requests per minute by dimension. 0 disables a limit. */
export type GroupLimits = Readonly<Partial<Record<LimitDimension, number>>>;
/** All limits, by group. */
export type RateLimits = Readonly<Record<LimitGroup, GroupLimits>>;

/**
 * The limits of the contract per minute, and those of paths that are not of the SDK API: one creative file for each ad that a
 * network may request, as many calls of the management API, and few of its log-ins, so that nobody guesses passwords.
 * Contract: docs/contract/rate-limits.md#limits-per-minute.
 */
export const DEFAULT_RATE_LIMITS = {
  'sdk.initialize': { network: 600, app_key: 3_000 },
  'ads.request': { session: 120, network: 6_000, app_key: 20_000 },
  events: { network: 12_000, request_id: 20 },
  'events.fallback': { session: 120, network: 12_000 },
  creatives: { network: 6_000 },
  manage: { network: 6_000 },
  login: { network: 30 },
} as const satisfies RateLimits;

/** Largest limit in a setting, so that the products of the sliding window stay exact integers. */
export const RATE_LIMIT_MAX = 1_000_000_000;

/** Limits from this size on are counted in leases. Contract: docs/contract/rate-limits.md#leases-of-large-limits. */
const LEASED_LIMIT_MIN = 3_000;
/**
 * Size of a lease as a part of the limit. If twenty gateways hold one lease each, requests are refused from 90 % on.
 */
const LEASES_OF_LIMIT = 200;

/** The number of requests of a limit in one lease, at least 1. */
export function leaseSize(limitPerMinute: number): number {
  return limitPerMinute < LEASED_LIMIT_MIN ? 1 : Math.floor(limitPerMinute / LEASES_OF_LIMIT);
}

/** A value, besides the network, by which a request is counted. */
export interface LimitKey {
  readonly dimension: Exclude<LimitDimension, 'network'>;
  /** As the client sent it. Only its hash is stored. */
  readonly value: string;
}
