import type { RuleSettings, ValuesOf } from './setting.js';
import type { Subject, TrafficOf } from './traffic.js';

/**
 * What is counted for a session. `placement_impressions` are those of one placement; the others are the session's. Only
 * what passed is counted. Contract: docs/contract/fraud-rules.md#what-counts.
 */
export type CounterName = 'ad_requests' | 'session_impressions' | 'placement_impressions' | 'clicks';

/** The counters that a rule for such traffic can read: an ad request does not say its placement. */
type CounterFor<S extends Subject> = S extends 'ad_request'
  ? Exclude<CounterName, 'placement_impressions'>
  : CounterName;

/** The counters that can be kept for a session's life: an ad request does not say when its session ends. */
type LifeCounterFor<S extends Subject> = Exclude<CounterFor<S>, 'ad_requests'>;

/** What every rule says of itself. */
interface RuleBase<Code extends string, S extends Subject, Settings extends RuleSettings> {
  /** Its name in verdicts, in the suspicious-event log, in the label `rule` of metrics and in `FRAUD_SHADOW_RULES`. */
  readonly code: Code;
  /** What it bounds, as the table of docs/contract/fraud-rules.md says it. */
  readonly text: string;
  /** The anchor of its section in docs/contract/fraud-rules.md. */
  readonly section: string;
  /** The traffic that it judges. */
  readonly judges: readonly S[];
  /**
   * Of the rules that one event breaks, the one with the lowest number names the verdict. No two rules that judge the
   * same traffic have the same number. Rules without a counter come before all others.
   */
  readonly precedence: number;
  /** Its numbers. Names are unique over all rules. */
  readonly settings: Settings;
}

/** At most so many may count in any stretch of `windowMs`: a rolling window that ends with the one that is judged. */
interface WindowRule<Code extends string, S extends Subject, Settings extends RuleSettings> extends RuleBase<
  Code,
  S,
  Settings
> {
  readonly kind: 'window';
  readonly counter: CounterFor<S>;
  readonly windowMs: number;
  /** The greatest number that may count, at least 0. Null: the rule does not apply to this one. */
  max(traffic: TrafficOf<S>, values: ValuesOf<Settings>): number | null;
}

/** Over the session's life, `counter` ÷ `baseCounter` may not exceed a ratio once the base is large enough. */
interface RatioRule<Code extends string, S extends Subject, Settings extends RuleSettings> extends RuleBase<
  Code,
  S,
  Settings
> {
  readonly kind: 'ratio';
  readonly counter: LifeCounterFor<S>;
  readonly baseCounter: LifeCounterFor<S>;
  /** The greatest ratio, 0..1. Null: the rule does not apply to this one. */
  max(traffic: TrafficOf<S>, values: ValuesOf<Settings>): number | null;
  /** The least base from which on it is judged, at least 1. */
  baseMin(values: ValuesOf<Settings>): number;
}

/** Judged by what the traffic says of itself. */
interface PlainRule<Code extends string, S extends Subject, Settings extends RuleSettings> extends RuleBase<
  Code,
  S,
  Settings
> {
  readonly kind: 'plain';
  readonly counter: null;
  isBroken(traffic: TrafficOf<S>, values: ValuesOf<Settings>): boolean;
}

/** A fraud rule: all that the service, its settings, its metrics and its documentation need to know of it. */
export type Rule<
  Code extends string = string,
  S extends Subject = Subject,
  Settings extends RuleSettings = RuleSettings,
> = WindowRule<Code, S, Settings> | RatioRule<Code, S, Settings> | PlainRule<Code, S, Settings>;

/** Makes a rule; a part that is missing or does not fit the others is a compile error. */
export function defineRule<
  const Code extends string,
  const S extends Subject,
  const Settings extends RuleSettings,
>(rule: Rule<Code, S, Settings>): Rule<Code, S, Settings> {
  return rule;
}
