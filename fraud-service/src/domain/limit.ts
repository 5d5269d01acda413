import type { FraudRule } from './verdict.js';

/**
 * What is counted for a session. `placement_impressions` are those of one placement; the others are the session's. Only
 * what passed is counted. Contract: docs/contract/fraud-rules.md#what-counts.
 */
export type CounterName = 'ad_requests' | 'session_impressions' | 'placement_impressions' | 'clicks';

/** At most `max` may count in any stretch of `windowMs`: a rolling window that ends with the one that is judged. */
export interface WindowLimit {
  readonly kind: 'window';
  readonly rule: FraudRule;
  readonly counter: CounterName;
  readonly windowMs: number;
  readonly max: number;
}

/** Over the session's life, `counter` ÷ `baseCounter` may not exceed `max` once the base has reached `baseMin`. */
export interface RatioLimit {
  readonly kind: 'ratio';
  readonly rule: FraudRule;
  readonly counter: CounterName;
  readonly baseCounter: CounterName;
  /** 0..1 */
  readonly max: number;
  /** At least 1. */
  readonly baseMin: number;
}

/** A fraud rule with its numbers filled in, ready to be held against the counters. */
export type Limit = WindowLimit | RatioLimit;

/** Whether one more would break a window limit, when `count` are in its window already. */
export function isWindowFull(limit: WindowLimit, count: number): boolean {
  return count >= limit.max;
}

/** Whether one more would break a ratio limit, when the session has `count` over `baseCount` already. */
export function isRatioExceeded(limit: RatioLimit, count: number, baseCount: number): boolean {
  return baseCount >= limit.baseMin && (count + 1) / baseCount > limit.max;
}
