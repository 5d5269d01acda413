import {
  DAY_MS,
  HOUR_MS,
  toIso,
  type AppId,
  type PlacementCode,
  type PublisherId,
  type RequestId,
} from '@placard/service-kit/pure';

/** An accepted reward. */
export interface Reward {
  /** Of the rewarded ad. */
  readonly requestId: RequestId;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  /** Whether the ad was a test ad. */
  readonly isTest: boolean;
  /** When the reward was reported, epoch ms. */
  readonly rewardedAtMs: number;
}

/** What every attempt sends. */
export interface RewardFacts extends Reward {
  readonly item: string;
  readonly amount: number;
}

/** One attempt to come: the number of the round, and the attempts of that round before it. */
export interface Attempt {
  readonly requestId: RequestId;
  readonly round: number;
  readonly attempts: number;
}

/** A callback whose attempt is due. */
export interface DueCallback extends RewardFacts {
  /** When the round began, epoch ms. */
  readonly roundAtMs: number;
  /** The present address of the placement. Null: it has none. */
  readonly url: string | null;
}

/** What became of a callback. Instants are epoch ms. */
export interface CallbackRow extends RewardFacts {
  readonly status: CallbackStatus;
  /** Of all rounds. */
  readonly attempts: number;
  /** Null: there was none. */
  readonly attemptedAtMs: number | null;
  /** Null: the round is over. */
  readonly nextAtMs: number | null;
  /** Why the last attempt failed, in a sentence without an address. Null: it did not. */
  readonly fault: string | null;
  /** When it was accepted last. Null: never. */
  readonly deliveredAtMs: number | null;
}

/** `given_up`: the receiver accepted it in none of the attempts of a day. */
export type CallbackStatus = 'waiting' | 'delivered' | 'given_up';

/** The pause after the first failed attempt. The following ones double, up to the longest. */
const FIRST_PAUSE_MS = 10_000;
const PAUSE_MS_MAX = HOUR_MS;
/** Attempts begin within this time after the begin of their round. */
const ROUND_MS = DAY_MS;

/**
 * When the attempt after a failed one is due (epoch ms). Null: that would be more than a day after the begin of the round, so the
 * callback is given up. `attempts`: failed ones of the round, at least 1.
 */
export function nextAttemptAt(attempts: number, { roundAtMs, nowMs }: RoundTimes): number | null {
  const nextAtMs = nowMs + Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), PAUSE_MS_MAX);
  return nextAtMs <= roundAtMs + ROUND_MS ? nextAtMs : null;
}

/** Instants in epoch ms. */
export interface RoundTimes {
  /** When the round began. */
  readonly roundAtMs: number;
  readonly nowMs: number;
}

/** The id of the callback of an ad: the same in every attempt and in every replay. */
export function callbackIdOf(requestId: RequestId): string {
  return requestId.replace(/^req_/, 'rwd_');
}

/** The body of a callback: ids, and neither money nor an address. Every attempt sends the same text. */
export function bodyOf(facts: RewardFacts): string {
  return JSON.stringify({
    id: callbackIdOf(facts.requestId),
    type: 'reward.accepted',
    request_id: facts.requestId,
    app: facts.appId,
    placement: facts.placement,
    item: facts.item,
    amount: facts.amount,
    rewarded_at: toIso(facts.rewardedAtMs),
    test: facts.isTest,
  });
}
