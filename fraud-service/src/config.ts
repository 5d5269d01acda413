import { baseShape, databaseUrl, env, readConfig, redisUrl, type ConfigOf } from '@placard/service-kit';
import { z } from 'zod';
import { SPECIFIED_THRESHOLDS as specified, type Thresholds } from './domain/thresholds.js';

const COUNT_MAX = 1_000_000;
const FACTOR_MAX = 1_000;
const FACTOR_SCALE = 1_000_000;
const DAY_SECONDS = 86_400;

function count(fallback: number) {
  const wanted = `must be a whole number from 1 to ${COUNT_MAX}`;
  return z.int(wanted).min(1, wanted).max(COUNT_MAX, wanted).default(fallback);
}

function factor(fallback: number) {
  const wanted = `must be a number above 0, at most ${FACTOR_MAX}, with at most 6 decimals`;
  const isFine = (value: number): boolean => Math.round(value * FACTOR_SCALE) / FACTOR_SCALE === value;
  return z.number(wanted).gt(0, wanted).max(FACTOR_MAX, wanted).refine(isFine, wanted).default(fallback);
}

function ratio(fallback: number) {
  const wanted = 'must be a number from 0 to 1';
  return z.number(wanted).min(0, wanted).max(1, wanted).default(fallback);
}

/** `FRAUD_RULES`: what it leaves out keeps the contract's number; an unknown name is a fault. */
const fraudRules = z.strictObject(
  {
    ad_requests_per_minute: count(specified.adRequestsPerMinute),
    banner_impression_factor: factor(specified.bannerImpressionFactor),
    fullscreen_impressions_per_hour: count(specified.fullscreenImpressionsPerHour),
    session_impressions_per_hour: count(specified.sessionImpressionsPerHour),
    clicks_per_hour: count(specified.clicksPerHour),
    max_ctr: ratio(specified.ctrMax),
    ctr_min_impressions: count(specified.ctrImpressionsMin),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no rule named ${issue.keys.join(', ')}`
        : 'must be a JSON object of rule names and numbers',
  },
);

const shape = {
  ...baseShape({ grpcPort: 50_054, metricsPort: 9_084 }),
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  FRAUD_RULES: env.json(fraudRules),
  MIN_CLICK_DELAY_MS: env.int({ min: 0, max: 60_000, default: specified.clickDelayMsMin }),
  // The lifetimes of the other services: they bound how long a session's counters are kept.
  AD_TTL_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 1_800 }),
  EVENT_WINDOW_SECONDS: env.int({ min: 1, max: DAY_SECONDS, default: 3_600 }),
  SUSPICIOUS_EVENTS_KEPT_DAYS: env.int({ min: 1, max: 3_650, default: 90 }),
  SUSPICIOUS_EVENTS_KEPT_MAX: env.int({ min: 1_000, max: 1_000_000_000, default: 10_000_000 }),
};

/** Settings of fraud-service. */
export type Config = ConfigOf<typeof shape>;

/** Reads the settings; throws one `ConfigError` that names every fault. */
export function readFraudConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig(shape, environment);
}

/** The numbers of the fraud rules as the operator set them. */
export function toThresholds(config: Pick<Config, 'FRAUD_RULES' | 'MIN_CLICK_DELAY_MS'>): Thresholds {
  const rules = config.FRAUD_RULES;
  return {
    adRequestsPerMinute: rules.ad_requests_per_minute,
    bannerImpressionFactor: rules.banner_impression_factor,
    fullscreenImpressionsPerHour: rules.fullscreen_impressions_per_hour,
    sessionImpressionsPerHour: rules.session_impressions_per_hour,
    clicksPerHour: rules.clicks_per_hour,
    ctrMax: rules.max_ctr,
    ctrImpressionsMin: rules.ctr_min_impressions,
    clickDelayMsMin: config.MIN_CLICK_DELAY_MS,
  };
}
