import { unreadableArgument } from '@placard/service-kit/pure';
import { parseArgs } from 'node:util';
import { CALLS, type Call } from './bill/part.js';
import { partOf } from './bill/parts.js';
import { parseMix, TARGETS, type Mix } from './operations.js';

/** Commands of the load tool. */
export const COMMANDS = [
  ...TARGETS,
  'all',
  'compare',
  'guard',
  'bill',
  'latency',
  'selection',
  'catalog',
  'drain',
  'leases',
  'soak',
  'overload',
] as const;

/** One of them. */
export type Command = (typeof COMMANDS)[number];

/** Options of the load command. */
export interface LoadOptions {
  readonly command: Command;
  /** Calls per second of an open loop; null: a closed loop, or the command's own rate. */
  readonly rate: number | null;
  readonly concurrency: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  /** Null: each target's default mix. */
  readonly mix: Mix | null;
  readonly catalogSize: number;
  /** A catalog file; null: a generated one. */
  readonly catalog: string | null;
  /** `host:port` of a running target; null: the product is started. */
  readonly address: string | null;
  /** Whether the services behind the target are replaced. */
  readonly usesStub: boolean;
  /** Whether the services call each other with TLS. */
  readonly usesTls: boolean;
  readonly sessions: number;
  /** Longest wait of an HTTP client, in milliseconds. */
  readonly timeoutMs: number;
  readonly generators: number;
  /** Answers per second of a saturated product; null: it is measured. */
  readonly saturation: number | null;
  readonly rounds: number;
  /** Calls of the bill; null: all. */
  readonly calls: readonly Call[] | null;
  /** Parts of the bill by their ids; null: all. */
  readonly parts: readonly string[] | null;
  /** Number of impressions that wait for the worker. */
  readonly waiting: number;
  readonly acceptsGzip: boolean;
  readonly profiles: boolean;
  /** JSON of an earlier run to compare with; null: none. */
  readonly compare: string | null;
  readonly outDir: string;
  readonly seed: number;
}

/** Output of `--help`. */
export const HELP = `Puts Placard under load and measures its capacity and its cost.

Usage: npm run load -- COMMAND [options]

COMMAND is one of
  gateway session serving events fraud   load on that process; starts the product unless --address names a running one
  all                                    each of these, one after the other
  compare      CPU of the product against a bare skeleton of the same shape, in turns
  guard        compare in two minutes; fails above a generous bound; for releases and changes of the hot path
  bill         cost of each part of a session, an ad request and an impression: each part is replaced in turn
  latency      finds saturation, measures latency at half of it and without load, and shows where a call waits
  selection    the selection of an ad without any service, with 100 to 300,000 campaigns
  catalog      serving-service with a large catalog: start, memory, changes under load
  drain        impressions that wait for the worker, and whether the worker keeps up with the gateway
  leases       cost of budgets: ten replicas exchange leases of 10,000 campaigns with events-service and Postgres
  soak         half load for a long time; shows whether memory grows
  overload     offers 0.5, 1, 1.5, 2 and 3 times saturation, and judges the highest step: latency of accepted calls,
               goodput, latency of refusals, growth of memory, recovery, money still held

Load
  --rate N            open loop: N planned calls a second; latency counts from the planned time
  --concurrency N     closed loop: N concurrent calls (default: 16, guard: 64)
  --duration S        measured seconds (default: 20; guard: 4 for each step; bill: 1.5 for each turn;
                      leases: 180; soak: 1800; overload: 60 for each step)
  --warmup S          seconds before the measurement (default: 3; once for each step: compare 30, guard 8, bill 15;
                      latency: 20; leases: 60; overload: 10)
  --mix LIST          shares of initialize, request, impression, click, reward, fallback, duplicate,
                      such as request=60,impression=40; default: the usual traffic of phones
  --sessions N        phones that are active at the same time (default: 500)
  --generators N      processes that generate the load (default: 1)
  --client-timeout MS a client leaves after this wait (default: 1500 with --rate and for overload, like a phone;
                      otherwise 10000)
  --saturation N      answers a second of a saturated product, for overload (default: it is measured first)
  --gzip              phones accept compressed answers
  --seed N            seed of the generated phones and catalog (default: 1)

What is put under load
  --catalog-size N    campaigns of the generated catalog (default: 1000, leases: 10000, catalog: 100000)
  --catalog FILE      the apps and campaigns of this catalog file instead
  --stub              a stub replaces the services behind the target
  --address H:P       a target that runs elsewhere; needs --catalog with apps of that target. Tokens are sealed with
                      SESSION_TOKEN_KEYS and IMPRESSION_TOKEN_KEYS where these are set; otherwise real calls to
                      SESSION_SERVICE_ADDRESS and SERVING_SERVICE_ADDRESS return them
  --node VERSION      run all processes on that Node.js (default: the pinned one)
  --tls               the services of compare call each other with TLS
  --rounds N          rounds of compare (default: 5), guard and bill (default: 3)
  --calls LIST        calls of bill: session, request, impression (default: all)
  --parts LIST        parts of bill, such as limits,caps (default: all; a wrong name lists them)
  --waiting N         waiting impressions of drain (default: 10000)

Results
  --compare FILE      show the difference to the JSON of an earlier run
  --out DIR           folder for JSON and HTML (default: .data/load)
  --profile           write a CPU profile of each process and list where its time goes
  --help              this text`;

const LOADS: readonly Command[] = [...TARGETS, 'all'];
const MEASURED = COMMANDS.filter((command) => command !== 'selection');
const BY_PHONES = MEASURED.filter((command) => command !== 'leases');

/** Commands of an option. Other options belong to all commands. */
const TAKERS: Readonly<Partial<Record<keyof Values, readonly Command[]>>> = {
  rate: [...LOADS, 'catalog', 'leases', 'soak'],
  concurrency: [...LOADS, 'compare', 'guard', 'bill', 'drain'],
  duration: MEASURED,
  warmup: [...LOADS, 'compare', 'guard', 'bill', 'latency', 'catalog', 'leases', 'soak', 'overload'],
  mix: [...LOADS, 'latency', 'soak', 'overload'],
  sessions: BY_PHONES,
  'client-timeout': ['gateway', 'all', 'overload'],
  saturation: ['overload'],
  generators: BY_PHONES,
  gzip: ['gateway', 'all', 'compare', 'guard', 'bill', 'latency', 'drain', 'soak', 'overload'],
  'catalog-size': MEASURED,
  catalog: BY_PHONES.filter((command) => command !== 'catalog'),
  stub: LOADS,
  address: TARGETS,
  tls: ['compare'],
  rounds: ['compare', 'guard', 'bill'],
  calls: ['bill'],
  parts: ['bill'],
  waiting: ['drain'],
  compare: LOADS,
  profile: LOADS,
};

/** Warm-up of commands that measure prices or latencies. Node.js optimizes code only after tens of thousands of calls. */
const WARMUP_SECONDS: Readonly<Partial<Record<Command, number>>> = {
  compare: 30,
  guard: 8,
  bill: 15,
  latency: 20,
  leases: 60,
  overload: 10,
};
const DURATION_SECONDS: Readonly<Partial<Record<Command, number>>> = {
  guard: 4,
  bill: 1.5,
  leases: 180,
  soak: 1_800,
  overload: 60,
};
const ROUNDS: Readonly<Partial<Record<Command, number>>> = { compare: 5 };
const CONCURRENCIES: Readonly<Partial<Record<Command, number>>> = { guard: 64 };
const CATALOG_SIZES: Readonly<Partial<Record<Command, number>>> = { leases: 10_000, catalog: 100_000 };
/** Longest wait of a phone. */
const PHONE_MS = 1_500;
/** Longest wait where only the target's CPU or saturation is measured. */
const PATIENT_MS = 10_000;
const NUMBER_MAX = 1_000_000;
const SECOND_MS = 1_000;

/** Reads the arguments. Throws an `Error` with the fault. */
export function parseLoadOptions(argv: readonly string[]): LoadOptions {
  const unreadable = unreadableArgument(argv);
  if (unreadable !== null) throw new Error(`Argument ${unreadable}`);
  const { values, positionals } = parse(argv);
  const command = commandOf(positionals);
  checkTakers(values, command);
  if (values.rate !== undefined && values.concurrency !== undefined) {
    throw new Error('--rate and --concurrency exclude each other: an open loop does not wait for answers');
  }
  checkSource(values);
  const of = (option: keyof Values, bound: Bound): number => numberOf(values, option, bound);
  const whole = (option: keyof Values, otherwise: number, min = 1): number =>
    of(option, { min, otherwise, isWhole: true });
  const given = (option: keyof Values): number | null =>
    values[option] === undefined ? null : of(option, { min: 1, otherwise: 1 });
  return {
    command,
    rate: given('rate'),
    concurrency: whole('concurrency', CONCURRENCIES[command] ?? 16),
    durationMs: SECOND_MS * of('duration', { min: 1, otherwise: DURATION_SECONDS[command] ?? 20 }),
    warmupMs: SECOND_MS * of('warmup', { min: 0, otherwise: WARMUP_SECONDS[command] ?? 3 }),
    mix: values.mix === undefined ? null : parseMix(values.mix),
    catalogSize: whole('catalog-size', CATALOG_SIZES[command] ?? 1_000, 10),
    catalog: values.catalog ?? null,
    address: values.address ?? null,
    usesStub: values.stub ?? false,
    usesTls: values.tls ?? false,
    sessions: whole('sessions', 500),
    timeoutMs: whole('client-timeout', isLikePhones(values, command) ? PHONE_MS : PATIENT_MS),
    saturation: given('saturation'),
    generators: whole('generators', 1),
    rounds: whole('rounds', ROUNDS[command] ?? 3),
    ...billChoice(values),
    waiting: whole('waiting', 10_000),
    acceptsGzip: values.gzip ?? false,
    profiles: values.profile ?? false,
    compare: values.compare ?? null,
    outDir: values.out ?? '.data/load',
    seed: whole('seed', 1),
  };
}

/** Whether clients leave as early as phones. */
function isLikePhones({ rate }: Values, command: Command): boolean {
  return rate !== undefined || command === 'overload';
}

function commandOf([name, ...others]: readonly string[]): (typeof COMMANDS)[number] {
  const command = COMMANDS.find((known) => known === name);
  if (command !== undefined && others.length === 0) return command;
  const fault = name === undefined || command !== undefined ? '' : `${name} is not a command. `;
  throw new Error(`${fault}Name one command: ${COMMANDS.join(', ')}. npm run load -- --help says more.`);
}

/** The calls and parts of the bill. */
function billChoice({ calls, parts }: Values): Pick<LoadOptions, 'calls' | 'parts'> {
  return {
    calls: calls?.split(',').map(callOf) ?? null,
    parts: parts?.split(',').map((id) => partOf(id).id) ?? null,
  };
}

function callOf(name: string): Call {
  const call = CALLS.find((known) => known === name);
  if (call === undefined) throw new Error(`--calls: no call ${name}; there are ${CALLS.join(', ')}`);
  return call;
}

function checkTakers(values: Values, command: Command): void {
  for (const option of Object.keys(values) as (keyof Values)[]) {
    const takers = TAKERS[option];
    if (takers === undefined || takers.includes(command)) continue;
    throw new Error(`--${option}: means nothing to ${command}, only to ${takers.join(', ')}`);
  }
}

/** Refuses options that need a product that is started here, and two catalogs at once. */
function checkSource(values: Values): void {
  for (const option of ['stub', 'profile'] as const) {
    if (values.address !== undefined && values[option] !== undefined)
      throw new Error(`--${option}: means nothing with --address: only what is started here can have it`);
  }
  if (values.catalog !== undefined && values['catalog-size'] !== undefined)
    throw new Error(
      '--catalog and --catalog-size exclude each other: the size is that of a generated catalog',
    );
}

interface Bound {
  readonly min: number;
  readonly otherwise: number;
  readonly isWhole?: boolean;
}

function numberOf(values: Values, option: keyof Values, { min, otherwise, isWhole = false }: Bound): number {
  const text = values[option];
  const value = text === undefined ? otherwise : Number(text === '' ? Number.NaN : text);
  const isGood = isWhole ? Number.isInteger(value) : Number.isFinite(value);
  if (isGood && value >= min && value <= NUMBER_MAX) return value;
  throw new Error(`--${option}: must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${NUMBER_MAX}`);
}

type Values = ReturnType<typeof parse>['values'];

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        rate: text,
        concurrency: text,
        duration: text,
        warmup: text,
        mix: text,
        sessions: text,
        generators: text,
        'client-timeout': text,
        saturation: text,
        gzip: flag,
        seed: text,
        'catalog-size': text,
        catalog: text,
        stub: flag,
        address: text,
        node: text,
        tls: flag,
        rounds: text,
        calls: text,
        parts: text,
        waiting: text,
        compare: text,
        out: text,
        profile: flag,
      },
    });
  } catch (error) {
    const [what = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${what}. npm run load -- --help lists the options.`, { cause: error });
  }
}
