/** What a limit counts by. Contract: docs/contract/rate-limits.md#limits-per-minute. */
export type LimitDimension = 'network' | 'app_key' | 'session' | 'request_id';
/** Endpoints that share their buckets. Contract: docs/contract/rate-limits.md#limits-on-events. */
export type LimitGroup = 'sdk.initialize' | 'ads.request' | 'events' | 'events.fallback' | 'creatives';

/** Requests per minute by dimension; 0 switches a limit off. */
export type GroupLimits = Readonly<Partial<Record<LimitDimension, number>>>;
/** All limits. */
export type RateLimits = Readonly<Record<LimitGroup, GroupLimits>>;

/**
 * The contract's limits per minute, and one for the creative files: one for each ad that a network may ask for.
 * Contract: docs/contract/rate-limits.md#limits-per-minute.
 */
export const DEFAULT_RATE_LIMITS = {
  'sdk.initialize': { network: 600, app_key: 3_000 },
  'ads.request': { session: 120, network: 6_000, app_key: 20_000 },
  events: { network: 12_000, request_id: 20 },
  'events.fallback': { session: 120, network: 12_000 },
  creatives: { network: 6_000 },
} as const satisfies RateLimits;

/** Largest limit that can be set: the sliding window's products stay exact integers. */
export const RATE_LIMIT_MAX = 1_000_000_000;

/** Limits from here on are counted in leases. Contract: docs/contract/rate-limits.md#leases-of-large-limits. */
const LEASED_LIMIT_MIN = 3_000;
/** Part of a limit that one gateway takes at a time: twenty gateways that hold one each refuse from 90 %. */
const LEASES_OF_LIMIT = 200;

/** How many requests of a limit are taken at a time, at least 1. */
export function leaseSize(limitPerMinute: number): number {
  return limitPerMinute < LEASED_LIMIT_MIN ? 1 : Math.floor(limitPerMinute / LEASES_OF_LIMIT);
}

/** A value by which one request is counted, besides its network. */
export interface LimitKey {
  readonly dimension: Exclude<LimitDimension, 'network'>;
  /** As the client sent it; only its hash is stored. */
  readonly value: string;
}
