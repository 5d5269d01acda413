const COUNT_MAX = 1_000_000;
const FACTOR_MAX = 1_000;
const FACTOR_SCALE = 1_000_000;
const DELAY_MS_MAX = 60_000;

/** A number of a fraud rule that the operator can change. */
export interface RuleSetting {
  /** Where it is set: under its name in the JSON of `FRAUD_RULES`, or as an environment variable of its own. */
  readonly source: 'FRAUD_RULES' | 'variable';
  /** What holds when nothing is set. Contract: docs/contract/fraud-rules.md#thresholds. */
  readonly default: number;
  /** Bounds; both are allowed. */
  readonly min: number;
  readonly max: number;
  /** What it may be, as the message of a wrong value and docs/settings.md say it. */
  readonly range: string;
  /** Whether a number within the bounds is allowed. */
  readonly isAllowed: (value: number) => boolean;
}

/** The settings of one rule, by the name that the operator uses. */
export type RuleSettings = Readonly<Record<string, RuleSetting>>;

/** Values of settings, by name. */
export type ValuesOf<Settings extends RuleSettings> = { readonly [Name in keyof Settings]: number };

/** A number of things, at least 1. */
export function count(fallback: number): RuleSetting {
  return {
    source: 'FRAUD_RULES',
    default: fallback,
    min: 1,
    max: COUNT_MAX,
    range: `a whole number from 1 to ${COUNT_MAX}`,
    isAllowed: Number.isInteger,
  };
}

/** A number that something is multiplied by; with at most 6 decimals, so that it can be counted in whole numbers. */
export function factor(fallback: number): RuleSetting {
  return {
    source: 'FRAUD_RULES',
    default: fallback,
    min: 1 / FACTOR_SCALE,
    max: FACTOR_MAX,
    range: `a number above 0, at most ${FACTOR_MAX}, with at most 6 decimals`,
    isAllowed: (value) => Math.round(value * FACTOR_SCALE) / FACTOR_SCALE === value,
  };
}

/** A part of a whole. */
export function ratio(fallback: number): RuleSetting {
  return {
    source: 'FRAUD_RULES',
    default: fallback,
    min: 0,
    max: 1,
    range: 'a number from 0 to 1',
    isAllowed: () => true,
  };
}

/** A time in milliseconds, in an environment variable of its own. */
export function delayMs(fallback: number): RuleSetting {
  return {
    source: 'variable',
    default: fallback,
    min: 0,
    max: DELAY_MS_MAX,
    range: `a whole number from 0 to ${DELAY_MS_MAX}`,
    isAllowed: Number.isInteger,
  };
}
