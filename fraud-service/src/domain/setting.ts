const COUNT_MAX = 1_000_000;
const FACTOR_MAX = 1_000;
const FACTOR_SCALE = 1_000_000;
const DELAY_MS_MAX = 60_000;

/** A number of a fraud rule that the operator can change. */
export interface RuleSetting {
  /** `FRAUD_RULES`: set by its name in that JSON. `variable`: has its own environment variable. */
  readonly source: 'FRAUD_RULES' | 'variable';
  /** The default. Contract: docs/contract/fraud-rules.md#thresholds. */
  readonly default: number;
  /** Bounds, both included. */
  readonly min: number;
  readonly max: number;
  /** The allowed values, for the message about a wrong value and for docs/settings.md. */
  readonly range: string;
  /** Whether a number within the bounds is allowed; some have further conditions. */
  readonly isAllowed: (value: number) => boolean;
}

/** The settings of one rule, by the names for the operator. */
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

/** A factor, with at most 6 decimals, so that computing in whole numbers is possible. */
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

/** A share of a whole. */
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

/** A time in milliseconds, with its own environment variable. */
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
