import { parseArgs } from 'node:util';
import { parseMix, TARGETS, type Mix, type Target } from './operations.js';

/** What the load command was asked for. */
export interface LoadOptions {
  readonly target: Target | 'all' | 'compare';
  /** Sends a second in an open loop; null: a closed loop. */
  readonly rate: number | null;
  readonly concurrency: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  /** Null: each target's usual one. */
  readonly mix: Mix | null;
  /** Null: each target's own default. */
  readonly catalogSize: number;
  /** A catalog file instead of a made one; null: made. */
  readonly catalog: string | null;
  /** `host:port` of a target that runs already; null: the product is started. */
  readonly address: string | null;
  /** Whether the services behind the target are replaced. */
  readonly usesStub: boolean;
  readonly sessions: number;
  readonly generators: number;
  readonly rounds: number;
  readonly acceptsGzip: boolean;
  readonly profiles: boolean;
  /** JSON of an earlier run to compare with; null: none. */
  readonly compare: string | null;
  readonly outDir: string;
  readonly seed: number;
}

/** What `--help` prints. */
export const HELP = `Puts Placard under load and says what it can carry and what it costs.

Usage: npm run load -- TARGET [options]

TARGET is one of
  gateway session serving events fraud   that process; the product is started unless --address names one that runs
  all                                    each of these, one after the other
  compare                                the product against a bare skeleton of the same shape, in turns

Load
  --rate N            open loop: N calls a second by a plan; latency counts from the planned time
  --concurrency N     closed loop: N calls on their way at any time (default: 16)
  --duration S        seconds that are measured (default: 20); --warmup S seconds before (default: 3)
  --mix LIST          shares of initialize, request, impression, click, reward, fallback, duplicate,
                      such as request=60,impression=40; default: traffic as phones make it
  --sessions N        phones that are active at the same time (default: 500)
  --generators N      processes that make the load (default: 1)
  --gzip              answers may come compressed
  --seed N            another seed makes other phones and another catalog (default: 1)

What is put under load
  --catalog-size N    campaigns of the made catalog (default: 1000)
  --catalog FILE      the apps and campaigns of this catalog file instead
  --stub              the services behind the target are replaced by a stub, so that it stands alone
  --address H:P       a target that runs elsewhere; needs --catalog with apps that it knows. Tokens: sealed with
                      SESSION_TOKEN_KEYS and IMPRESSION_TOKEN_KEYS where these are set, else had by real calls of
                      SESSION_SERVICE_ADDRESS and SERVING_SERVICE_ADDRESS
  --node VERSION      run all processes on that Node.js (default: the pinned one)
  --rounds N          of compare (default: 3)

Results
  --compare FILE      show the difference to the JSON of an earlier run
  --out DIR           where JSON and HTML go (default: .data/load)
  --profile           write a CPU profile of each process and list where its time goes
  --help              this text`;

const NUMBER_MAX = 1_000_000;
const SECOND_MS = 1_000;

/** Reads the arguments. Throws an `Error` whose message says what is wrong. */
export function parseLoadOptions(argv: readonly string[]): LoadOptions {
  const { values, positionals } = parse(argv);
  const [name, ...others] = positionals;
  const targets = [...TARGETS, 'all', 'compare'] as const;
  const target = targets.find((known) => known === name);
  if (target === undefined || others.length > 0) {
    throw new Error(`Name one target: ${targets.join(', ')}. npm run load -- --help says more.`);
  }
  const number = (text: string | undefined, option: string, { min, otherwise }: Bound): number => {
    const value = text === undefined ? otherwise : Number(text);
    if (Number.isFinite(value) && value >= min && value <= NUMBER_MAX) return value;
    throw new Error(`--${option}: must be a number from ${min} to ${NUMBER_MAX}`);
  };
  if (values.rate !== undefined && values.concurrency !== undefined) {
    throw new Error('--rate and --concurrency exclude each other: an open loop does not wait for answers');
  }
  return {
    target,
    rate: values.rate === undefined ? null : number(values.rate, 'rate', { min: 1, otherwise: 1 }),
    concurrency: number(values.concurrency, 'concurrency', { min: 1, otherwise: 16 }),
    durationMs: SECOND_MS * number(values.duration, 'duration', { min: 1, otherwise: 20 }),
    warmupMs: SECOND_MS * number(values.warmup, 'warmup', { min: 0, otherwise: 3 }),
    mix: values.mix === undefined ? null : parseMix(values.mix),
    catalogSize: number(values['catalog-size'], 'catalog-size', { min: 10, otherwise: 1_000 }),
    catalog: values.catalog ?? null,
    address: values.address ?? null,
    usesStub: values.stub ?? false,
    sessions: number(values.sessions, 'sessions', { min: 1, otherwise: 500 }),
    generators: number(values.generators, 'generators', { min: 1, otherwise: 1 }),
    rounds: number(values.rounds, 'rounds', { min: 1, otherwise: 3 }),
    acceptsGzip: values.gzip ?? false,
    profiles: values.profile ?? false,
    compare: values.compare ?? null,
    outDir: values.out ?? '.data/load',
    seed: number(values.seed, 'seed', { min: 1, otherwise: 1 }),
  };
}

interface Bound {
  readonly min: number;
  readonly otherwise: number;
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
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
      gzip: flag,
      seed: text,
      'catalog-size': text,
      catalog: text,
      stub: flag,
      address: text,
      node: text,
      rounds: text,
      compare: text,
      out: text,
      profile: flag,
    },
  });
}
