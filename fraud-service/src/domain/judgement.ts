import type { FraudRule } from './fraud-rules.js';

/** What is said of an ad request or event: the first rule that it breaks. Null: it passes, and is counted. */
export type Verdict = FraudRule | null;

/** A verdict, and what rules in shadow mode would have said. Contract: docs/contract/fraud-rules.md#shadow-mode. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Rules in shadow mode that it breaks; each would have named the verdict, were it alone enforced as well. */
  readonly shadowed: readonly FraudRule[];
}

/** It breaks no rule. */
export const PASSES: Judgement = { verdict: null, shadowed: [] };
