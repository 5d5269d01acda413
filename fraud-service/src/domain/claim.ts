import type { PlacementCode, RequestId, SessionId } from '@placard/service-kit/pure';
import type { FraudRule } from './fraud-rules.js';
import type { CounterName } from './rule.js';

/** A counter that a claim touches. */
export interface ClaimCounter {
  readonly name: CounterName;
  /** True: what passes is counted here; false: it is only read. */
  readonly isCounted: boolean;
  /** How long the counter is kept after what passes now, in milliseconds; above 0. */
  readonly ttlMs: number;
  /** What was counted so many milliseconds before the claim may be forgotten. Null: nothing, while the counter lives. */
  readonly forgetAfterMs: number | null;
}

interface LimitBase {
  readonly rule: FraudRule;
  /** True: it refuses nothing, it is only told that it would have. */
  readonly isShadow: boolean;
  readonly counter: CounterName;
}

/** At most `max` may count in the `windowMs` that end with the one that is judged, this one included. */
export interface WindowLimit extends LimitBase {
  readonly kind: 'window';
  readonly windowMs: number;
  readonly max: number;
}

/** With the one that is judged, `counter` ÷ `baseCounter` may not exceed `max` once the base has reached `baseMin`. */
export interface RatioLimit extends LimitBase {
  readonly kind: 'ratio';
  readonly baseCounter: CounterName;
  /** 0..1 */
  readonly max: number;
  /** At least 1. */
  readonly baseMin: number;
}

/** A fraud rule with its numbers filled in, ready to be held against the counters. */
export type Limit = WindowLimit | RatioLimit;

/**
 * A request to count one thing unless a limit breaks. It is carried out in one atomic step by the store: the domain says
 * which limits hold and with which numbers, the store only compares and counts. A claim whose request id is in the first
 * counter already passes and counts nothing, so that a retry is harmless.
 */
export interface Claim {
  readonly sessionId: SessionId;
  readonly requestId: RequestId;
  /** Whose `placement_impressions` are meant. Null: none is touched. */
  readonly placement: PlacementCode | null;
  /** Epoch ms of the arrival: where every window ends. */
  readonly atMs: number;
  /** At least one; those that are counted come first, and the first tells a retry. */
  readonly counters: readonly ClaimCounter[];
  /** Checked in this order; the first that breaks and is not in shadow mode names the verdict. */
  readonly limits: readonly Limit[];
}
