import { z } from 'zod';
import { unreadableFault } from '../pure/index.js';
import { settingOf } from './setting.js';

/** Exit status when the settings are wrong (EX_CONFIG of sysexits). */
export const EXIT_CONFIG = 78;

const PORT_MAX = 65_535;

/** Thrown at start when settings are wrong. Its message names every fault on one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One for each fault: `NAME: what it must be`. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Wrong settings: ${faults.join('; ')}. Correct them and start again.`);
    this.faults = faults;
  }
}

/** A shape of settings: the name of an environment variable and how to read it. */
export type ConfigShape = Record<string, z.ZodType>;

/** A rule over several settings, as they were given: its faults, each as `NAME: what it must be`. */
export type ConfigRule = (given: Readonly<Record<string, string | undefined>>) => readonly string[];

/** The result of {@link readConfig} for a shape. */
export type ConfigOf<Shape extends ConfigShape> = Readonly<{ [K in keyof Shape]: z.output<Shape[K]> }>;

/**
 * Reads settings from the environment, each as {@link settingOf} gives it, into a frozen, typed object. Throws one
 * {@link ConfigError} that names all faults and stops the start.
 */
export function readConfig<Shape extends ConfigShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv,
  rules: readonly ConfigRule[] = [],
): ConfigOf<Shape> {
  const given: Record<string, string | undefined> = {};
  for (const name of Object.keys(shape)) given[name] = settingOf(env, name);
  const unreadable = Object.keys(shape).flatMap((name) => {
    const fault = unreadableFault(env[name] ?? '');
    return fault === null ? [] : [`${name}: ${fault}`];
  });
  if (unreadable.length > 0) throw new ConfigError(unreadable);
  const result = z.object(shape).safeParse(given);
  const broken = rules.flatMap((rule) => rule(given));
  if (result.success && broken.length === 0) return Object.freeze(result.data) as unknown as ConfigOf<Shape>;
  const issues = result.success ? [] : result.error.issues;
  const faults = [...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`), ...broken];
  throw new ConfigError(faults);
}

interface IntOptions {
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

function int(options: IntOptions) {
  const range = `must be a whole number from ${options.min} to ${options.max}`;
  const read = z
    .string({ error: `is not set; ${range}` })
    .regex(/^-?\d{1,15}$/, range)
    .transform(Number)
    .refine((value) => value >= options.min && value <= options.max, range);
  return options.default === undefined ? read : read.default(options.default);
}

function text(options: { readonly default?: string } = {}) {
  const read = z.string({ error: 'is not set' });
  return options.default === undefined ? read : read.default(options.default);
}

function url(protocols: readonly string[], options: { readonly default?: string } = {}) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
  const wanted = `must be a URL that starts with ${starts} and names a host, with a port up to ${PORT_MAX} if any`;
  const read = z
    .string({ error: `is not set; ${wanted}` })
    .refine((value) => isUrl(value, protocols), wanted);
  return options.default === undefined ? read : read.default(options.default);
}

function isUrl(value: string, protocols: readonly string[]): boolean {
  if (!protocols.some((protocol) => value.startsWith(`${protocol}//`)) || !URL.canParse(value)) return false;
  const { hostname, port } = new URL(value);
  return hostname !== '' && port !== '0';
}

/** A share, from 0 to 1. */
function share(options: { readonly default: number }) {
  return z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(options.default);
}

function choice<const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
  fallback: Choices[number],
) {
  return z.enum(choices, { error: `must be one of ${choices.join(', ')}` }).default(() => fallback);
}

/** JSON of a shape, parsed from a text. Not set means `{}`, so that the defaults of the schema apply. */
function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .default('{}')
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

const ADDRESS = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5})$/;
const IPV4_ADDRESS = /^\d+(?:\.\d+){3}:/;

function isAddress(value: string): boolean {
  const port = Number(ADDRESS.exec(value)?.[1]);
  return port >= 1 && port <= PORT_MAX;
}

function isPeer(value: string): boolean {
  if (!value.startsWith('ipv4:')) return isAddress(value.replace(/^dns:\/\/\//, ''));
  const list = value.slice('ipv4:'.length).split(',');
  return list.every((entry) => IPV4_ADDRESS.test(entry) && isAddress(entry));
}

/**
 * `host:port` of another service. `dns:///host:port` balances over all addresses of a name; `ipv4:address:port,…`
 * balances over the listed addresses.
 */
function address(fallback: string) {
  return z
    .string()
    .refine(
      isPeer,
      `must be host:port, dns:///host:port or ipv4:address:port,address:port, with ports up to ${PORT_MAX}`,
    )
    .default(fallback);
}

/** A secret of 32 bytes, shared by the processes that read it. Undefined: not set. */
function sharedKey() {
  return z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits: openssl rand -hex 32')
    .optional();
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The code of a currency in ISO 4217. */
function currency(fallback: string) {
  return z
    .string()
    .refine((value) => CURRENCIES.has(value), 'must be a code of ISO 4217 in capital letters, such as USD')
    .default(fallback);
}

/** Makers of settings. The fault of each names the accepted values. */
export const env = { int, share, text, url, choice, json, address, sharedKey, currency };

/** Settings of every process. `HOST` is the address to listen on. Port 0 lets the system choose. */
export function baseShape(defaults: { readonly grpcPort: number; readonly metricsPort: number }) {
  return {
    HOST: text({ default: '0.0.0.0' }),
    GRPC_PORT: int({ min: 0, max: PORT_MAX, default: defaults.grpcPort }),
    METRICS_PORT: int({ min: 0, max: PORT_MAX, default: defaults.metricsPort }),
    LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  };
}
