import { clickClaim, impressionClaim, type Claim } from '../domain/claim.js';
import { isClickTooSoon } from '../domain/rules/index.js';
import type { Thresholds } from '../domain/thresholds.js';
import type { EventToJudge, Lifetimes } from '../domain/traffic.js';
import type { Verdict } from '../domain/verdict.js';
import type { SessionCounters } from '../store/session-counters.js';
import type { VerdictObserver } from './verdict-observer.js';

/** What judging events needs. */
export interface JudgeEventsParts {
  readonly counters: SessionCounters;
  readonly thresholds: Thresholds;
  readonly lifetimes: Lifetimes;
  readonly onVerdict: VerdictObserver;
}

/**
 * Judges events and counts those that pass; the verdicts stand in the order of the events. An event that was counted
 * before passes again. Error `unavailable`, for all or none. Contract: docs/contract/fraud-rules.md#what-counts,
 * docs/contract/final-answers.md#suspicious-is-kept.
 */
export type JudgeEvents = (events: readonly EventToJudge[]) => Promise<readonly Verdict[]>;

/** Makes {@link JudgeEvents}. */
export function makeJudgeEvents({
  counters,
  thresholds,
  lifetimes,
  onVerdict,
}: JudgeEventsParts): JudgeEvents {
  const toClaim = (event: EventToJudge): Claim =>
    event.type === 'click'
      ? clickClaim(event, thresholds, lifetimes)
      : impressionClaim(event, thresholds, lifetimes);
  // The delay is the first rule of a click and needs no counter: what breaks it never reaches the store.
  const isTooSoon = (event: EventToJudge): boolean =>
    event.type === 'click' && isClickTooSoon(event, thresholds.clickDelayMsMin);

  return async (events) => {
    const verdicts: Verdict[] = events.map((event) => (isTooSoon(event) ? 'click_delay' : null));
    const places = events.map((_, place) => place).filter((place) => verdicts[place] === null);
    const claims = places.flatMap((place) => events[place] ?? []).map(toClaim);
    const claimed = claims.length === 0 ? [] : await counters.claim(claims);
    places.forEach((place, index) => (verdicts[place] = claimed[index] ?? null));
    events.forEach((event, place) => onVerdict(event.type, verdicts[place] ?? null));
    return verdicts;
  };
}
