import type { RuleSettings, ValuesOf } from './setting.js';
import type { Subject, TrafficOf } from './traffic.js';

/**
 * The counters of a session. `placement_impressions` is for one placement, the others for the whole session. Only
 * traffic that passed is counted. Contract: docs/contract/fraud-rules.md#what-counts.
 */
export type CounterName = 'ad_requests' | 'session_impressions' | 'placement_impressions' | 'clicks';

/** The counters that a rule for this traffic can read. An ad request has no placement here. */
type CounterFor<S extends Subject> = S extends 'ad_request'
  ? Exclude<CounterName, 'placement_impressions'>
  : CounterName;

/** The counters that can be kept for a session's life. An ad request does not carry the end of its session. */
type LifeCounterFor<S extends Subject> = Exclude<CounterFor<S>, 'ad_requests'>;

/** The parts of every rule. */
interface RuleBase<Code extends string, S extends Subject, Settings extends RuleSettings> {
  /** Its name in verdicts, in the suspicious-event log, in the label `rule` of metrics and in `FRAUD_SHADOW_RULES`. */
  readonly code: Code;
  /** The limited quantity, as in the table of docs/contract/fraud-rules.md. */
  readonly text: string;
  /** The anchor of its section in docs/contract/fraud-rules.md. */
  readonly section: string;
  /** The traffic that it judges. */
  readonly judges: readonly S[];
  /**
   * If one event breaks several rules, the rule with the lowest number gives the verdict. Rules for the same traffic
   * have different numbers. Rules without a counter come before all others.
   */
  readonly precedence: number;
  /** The numbers of the rule. Their names are unique over all rules. */
  readonly settings: Settings;
}

/** At most `max` entries may count in any period of `windowMs`: a rolling window that ends with the judged traffic. */
interface WindowRule<Code extends string, S extends Subject, Settings extends RuleSettings> extends RuleBase<
  Code,
  S,
  Settings
> {
  readonly kind: 'window';
  readonly counter: CounterFor<S>;
  readonly windowMs: number;
  /** The largest number that may count, at least 0. Null: the rule does not apply to this traffic. */
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
  /** The largest ratio, 0..1. Null: the rule does not apply to this traffic. */
  max(traffic: TrafficOf<S>, values: ValuesOf<Settings>): number | null;
  /** The smallest base for a judgement, at least 1. */
  baseMin(values: ValuesOf<Settings>): number;
}

/** A rule that needs only the fields of the traffic. */
interface PlainRule<Code extends string, S extends Subject, Settings extends RuleSettings> extends RuleBase<
  Code,
  S,
  Settings
> {
  readonly kind: 'plain';
  readonly counter: null;
  isBroken(traffic: TrafficOf<S>, values: ValuesOf<Settings>): boolean;
}

/** A fraud rule: everything that the service, its settings, its metrics and its documentation need. */
export type Rule<
  Code extends string = string,
  S extends Subject = Subject,
  Settings extends RuleSettings = RuleSettings,
> = WindowRule<Code, S, Settings> | RatioRule<Code, S, Settings> | PlainRule<Code, S, Settings>;

/** Makes a rule. A missing part, or one that does not fit the others, is a compile error. */
export function defineRule<
  const Code extends string,
  const S extends Subject,
  const Settings extends RuleSettings,
>(rule: Rule<Code, S, Settings>): Rule<Code, S, Settings> {
  return rule;
}
