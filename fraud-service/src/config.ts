import {
  baseShape,
  databaseShape,
  env,
  readConfig,
  redisShape,
  storesNeedTls,
  type ConfigOf,
} from '@placard/service-kit';
import { z } from 'zod';
import {
  fraudRules,
  ruleSettings,
  type FraudRule,
  type RuleValues,
  type SettingName,
} from './domain/fraud-rules.js';
import type { RuleSetting } from './domain/setting.js';

const DAY_SECONDS = 86_400;

const settingsOf = (source: RuleSetting['source']): readonly (readonly [string, RuleSetting])[] =>
  Object.entries(ruleSettings).filter(([, setting]) => setting.source === source);

function ruleNumber({ default: fallback, min, max, range, isAllowed }: RuleSetting) {
  const wanted = `must be ${range}`;
  return z.number(wanted).min(min, wanted).max(max, wanted).refine(isAllowed, wanted).default(fallback);
}

/** `FRAUD_RULES`. A missing number keeps the contract's default. An unknown name is a fault. */
const fraudRuleNumbers = z.strictObject(
  Object.fromEntries(settingsOf('FRAUD_RULES').map(([name, setting]) => [name, ruleNumber(setting)])),
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no rule named ${issue.keys.join(', ')}`
        : 'must be a JSON object of rule names and numbers',
  },
);

/** `FRAUD_SHADOW_RULES`: codes of rules, separated by commas. */
const shadowRules = z
  .string()
  .default('')
  .transform((text, context): ReadonlySet<FraudRule> => {
    const codes: readonly string[] = fraudRules.map(({ code }) => code);
    const named = text.split(',').map((code) => code.trim());
    const wanted = named.filter((code) => code !== '');
    const unknown = wanted.filter((code) => !codes.includes(code));
    if (unknown.length > 0) {
      const message = `has no rule named ${unknown.join(', ')}; name some of ${codes.join(', ')}, separated by commas`;
      context.addIssue({ code: 'custom', message });
    }
    return new Set(wanted as FraudRule[]);
  });

const shape = {
  ...baseShape({ grpcPort: 50_054, metricsPort: 9_084 }),
  ...databaseShape,
  ...redisShape,
  FRAUD_RULES: env.json(fraudRuleNumbers),
  FRAUD_SHADOW_RULES: shadowRules,
  // The lifetimes of the other services. They determine how long a session's counters are kept.
  AD_TTL_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 1_800 }),
  EVENT_WINDOW_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 3_600 }),
  SUSPICIOUS_EVENTS_KEPT_DAYS: env.int({ min: 1, max: 3_650, default: 90 }),
  SUSPICIOUS_EVENTS_KEPT_MAX: env.int({ min: 1_000, max: 1_000_000_000, default: 10_000_000 }),
  ...variablesOfRules(),
};

/** Numbers of rules that have their own environment variable. */
function variablesOfRules(): Record<Uppercase<string> & SettingName, ReturnType<typeof env.int>> {
  const variables = settingsOf('variable').map(([name, setting]) => [name, env.int(setting)] as const);
  return Object.fromEntries(variables) as Record<Uppercase<string> & SettingName, ReturnType<typeof env.int>>;
}

/** Settings of fraud-service. */
export type Config = ConfigOf<typeof shape>;

/** Reads the settings; throws one `ConfigError` that names every fault. */
export function readFraudConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(shape, environment, [storesNeedTls]);
}

/** The numbers of the fraud rules, as the operator has set them. */
export function toRuleValues(config: Config): RuleValues {
  const given: Readonly<Record<string, unknown>> = { ...config, ...config.FRAUD_RULES };
  const names = Object.keys(ruleSettings) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Record<SettingName, number>;
}
