import type { Judgement, Verdict } from '../domain/judgement.js';
import type { RuleBook } from '../domain/rule-book.js';
import type { Traffic } from '../domain/traffic.js';
import type { SessionCounters } from '../store/session-counters.js';

/** Dependencies of {@link JudgeTraffic}. */
export interface JudgeTrafficDeps {
  readonly counters: SessionCounters;
  readonly ruleBook: RuleBook;
  /** Called with each judgement, for the metrics and the log. */
  readonly onJudgement: (traffic: Traffic, judgement: Judgement) => void;
}

/**
 * Judges an ad request or event, and counts it when it passes. Traffic of the same turn is judged in order. Traffic
 * that was counted before passes again. Error `unavailable`. Contract: docs/contract/fraud-rules.md#what-counts,
 * docs/contract/final-answers.md#suspicious-is-kept.
 */
export type JudgeTraffic = (traffic: Traffic) => Promise<Verdict>;

/** Makes {@link JudgeTraffic}. */
export function makeJudgeTraffic({ counters, ruleBook, onJudgement }: JudgeTrafficDeps): JudgeTraffic {
  return async (traffic) => {
    let judgement = ruleBook.examine(traffic);
    // Traffic that breaks a rule without a counter never reaches the store.
    if (judgement.verdict === null) {
      judgement = join(judgement, await counters.claim(ruleBook.claim(traffic)));
    }
    onJudgement(traffic, judgement);
    return judgement.verdict;
  };
}

function join(examined: Judgement, claimed: Judgement): Judgement {
  if (examined.shadowed.length === 0) return claimed;
  return { verdict: claimed.verdict, shadowed: [...examined.shadowed, ...claimed.shadowed] };
}
