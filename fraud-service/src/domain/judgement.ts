import type { FraudRule } from './fraud-rules.js';

/** The first rule that an ad request or event breaks. Null: it passes and is counted. */
export type Verdict = FraudRule | null;

/** A verdict, and the refusals of rules in shadow mode. Contract: docs/contract/fraud-rules.md#shadow-mode. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Rules in shadow mode that the traffic breaks. Each would give the verdict if it alone were enforced too. */
  readonly shadowed: readonly FraudRule[];
}

/** The judgement of traffic that breaks no rule. */
export const PASSES: Judgement = { verdict: null, shadowed: [] };
