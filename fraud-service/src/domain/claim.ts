import {
  HOUR_MS,
  MINUTE_MS,
  type PlacementCode,
  type RequestId,
  type SessionId,
} from '@placard/service-kit/pure';
import type { CounterName, Limit } from './limit.js';
import { adRequestLimits, clickLimits, impressionLimits } from './rules/index.js';
import type { Thresholds } from './thresholds.js';
import type { AdRequest, Click, EventToJudge, Impression, Lifetimes } from './traffic.js';

/** A counter that a claim touches. */
export interface ClaimCounter {
  readonly name: CounterName;
  /** True: what passes is counted here; false: it is only read. */
  readonly isCounted: boolean;
  /** How long the counter is kept after what passes now, in milliseconds; above 0. */
  readonly ttlMs: number;
  /** Epoch ms: what was counted at or before it may be forgotten. Null: nothing may, while the counter lives. */
  readonly forgetUntilMs: number | null;
}

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
  /** At least one; the first is counted and tells a retry. */
  readonly counters: readonly ClaimCounter[];
  /** Checked in this order; the first that breaks names the verdict. */
  readonly limits: readonly Limit[];
}

/**
 * Instances' clocks differ a little, so that arrivals are not judged quite in their order: entries are kept for one
 * window longer than a window that ends now needs.
 */
const WINDOWS_KEPT = 2;

/** The claim of an ad request. Contract: docs/contract/fraud-rules.md#rules. */
export function adRequestClaim(adRequest: AdRequest, thresholds: Thresholds): Claim {
  const { sessionId, requestId, atMs } = adRequest;
  return {
    sessionId,
    requestId,
    placement: null,
    atMs,
    counters: [rollingCounter('ad_requests', atMs, MINUTE_MS)],
    limits: adRequestLimits(thresholds),
  };
}

/** The claim of an impression. Contract: docs/contract/fraud-rules.md#rules. */
export function impressionClaim(impression: Impression, thresholds: Thresholds, lifetimes: Lifetimes): Claim {
  const { sessionId, requestId, placement, arrivedAtMs } = impression;
  const ttlMs = sessionTtlMs(impression, lifetimes);
  return {
    sessionId,
    requestId,
    placement,
    atMs: arrivedAtMs,
    counters: [
      { name: 'session_impressions', isCounted: true, ttlMs, forgetUntilMs: null },
      rollingCounter('placement_impressions', arrivedAtMs, HOUR_MS),
    ],
    limits: impressionLimits(impression, thresholds),
  };
}

/** The claim of a click whose delay is right. Contract: docs/contract/fraud-rules.md#rules. */
export function clickClaim(click: Click, thresholds: Thresholds, lifetimes: Lifetimes): Claim {
  const { sessionId, requestId, arrivedAtMs } = click;
  const ttlMs = sessionTtlMs(click, lifetimes);
  return {
    sessionId,
    requestId,
    placement: null,
    atMs: arrivedAtMs,
    counters: [
      { name: 'clicks', isCounted: true, ttlMs, forgetUntilMs: null },
      { name: 'session_impressions', isCounted: false, ttlMs, forgetUntilMs: null },
    ],
    limits: clickLimits(thresholds),
  };
}

function rollingCounter(name: CounterName, atMs: number, windowMs: number): ClaimCounter {
  return { name, isCounted: true, ttlMs: windowMs, forgetUntilMs: atMs - WINDOWS_KEPT * windowMs };
}

/**
 * How long a session's life counters must be kept after an event: the last impression can come one ad lifetime after the
 * session's end, and the last click one ad lifetime and one event window after the impression that it belongs to.
 */
function sessionTtlMs(event: EventToJudge, { adTtlMs, eventWindowMs }: Lifetimes): number {
  const sessionMs = event.sessionExpiresAtMs - event.arrivedAtMs;
  return adTtlMs + Math.max(sessionMs, eventWindowMs);
}
