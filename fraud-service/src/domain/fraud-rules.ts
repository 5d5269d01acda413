import type { Rule } from './rule.js';
import * as registered from './rules/index.js';
import type { RuleSetting } from './setting.js';

type Registered = (typeof registered)[keyof typeof registered];

/** Name of a fraud rule. */
export type FraudRule = Registered['code'];

type NamesOf<R> = R extends { readonly settings: infer Settings } ? keyof Settings & string : never;

/** The name of a number that the operator can change. */
export type SettingName = NamesOf<Registered>;

/** The numbers of the fraud rules. */
export type RuleValues = Readonly<Record<SettingName, number>>;

/** The fraud rules in the order of their precedence. */
export const fraudRules: readonly Rule<FraudRule>[] = Object.values(
  registered as Record<string, Rule<FraudRule>>,
).sort((one, other) => rankOf(one) - rankOf(other));

/** A rule without a counter is judged before the store is called. */
function rankOf(rule: Rule): number {
  return rule.kind === 'plain' ? rule.precedence - Number.MAX_SAFE_INTEGER : rule.precedence;
}

/** All numbers that the operator can change, by name. */
export const ruleSettings: Readonly<Record<SettingName, RuleSetting>> = Object.assign(
  {},
  ...fraudRules.map(({ settings }) => settings),
) as Record<SettingName, RuleSetting>;

/** The defaults of the contract. Contract: docs/contract/fraud-rules.md#thresholds. */
export const defaultValues: RuleValues = Object.fromEntries(
  Object.entries(ruleSettings).map(([name, setting]) => [name, setting.default]),
) as Record<SettingName, number>;
