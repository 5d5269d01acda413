import type { PlacementCode, RequestId, SessionId } from '@placard/service-kit/pure';
import type { FraudRule } from './fraud-rules.js';
import type { CounterName } from './rule.js';

/** A counter that a claim uses. */
export interface ClaimCounter {
  readonly name: CounterName;
  /** True: the claim is counted here if it passes. False: the counter is only read. */
  readonly isCounted: boolean;
  /** How long the counter is kept after a claim that passes now, in milliseconds; above 0. */
  readonly ttlMs: number;
  /**
   * Entries older than this may be removed, in milliseconds before the claim. Null: entries stay as long as the
   * counter.
   */
  readonly forgetAfterMs: number | null;
}

interface LimitBase {
  readonly rule: FraudRule;
  /** True: the limit refuses nothing. Its refusals are only reported. */
  readonly isShadow: boolean;
  readonly counter: CounterName;
}

/** At most `max` entries may count in a window of `windowMs` that ends with the claim, including the claim. */
export interface WindowLimit extends LimitBase {
  readonly kind: 'window';
  readonly windowMs: number;
  readonly max: number;
}

/** Including the claim, `counter` ÷ `baseCounter` may not exceed `max` once the base has reached `baseMin`. */
export interface RatioLimit extends LimitBase {
  readonly kind: 'ratio';
  readonly baseCounter: CounterName;
  /** 0..1 */
  readonly max: number;
  /** At least 1. */
  readonly baseMin: number;
}

/** A fraud rule with its numbers, ready to be compared with the counters. */
export type Limit = WindowLimit | RatioLimit;

/**
 * A request to count one entry unless a limit is exceeded. The store executes it in one atomic step: the domain selects
 * the limits and their numbers, and the store only compares and counts. A claim whose request id is already in the
 * first counter passes and counts nothing, so that a retry is harmless.
 */
export interface Claim {
  readonly sessionId: SessionId;
  readonly requestId: RequestId;
  /** The placement of `placement_impressions`. Null: that counter is not used. */
  readonly placement: PlacementCode | null;
  /** Epoch ms of the arrival, which is the end of every window. */
  readonly atMs: number;
  /** At least one. Counters that are counted come first. The first one detects a retry. */
  readonly counters: readonly ClaimCounter[];
  /** Checked in this order. The first exceeded limit that is not in shadow mode gives the verdict. */
  readonly limits: readonly Limit[];
}
