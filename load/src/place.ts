import type { HeapsMiB } from '@placard/local';
import { assignmentTo, type Traffic } from './compare/beside-product.js';
import type { LoadFigures } from './figures.js';
import type { Assignment, Phase } from './generator/messages.js';
import { metricsUrlOf, openLoadedProduct, type LoadedProduct } from './loaded-product.js';
import { only, usualMix, type Mix, type Target } from './operations.js';
import type { LoadOptions } from './options.js';
import type { Run } from './run.js';
import { runPhase, type Measured } from './run-phase.js';
import { Swarm } from './swarm.js';

/** Default life of an ad, in milliseconds. */
const AD_MS = 1_800_000;
const SECOND_MS = 1_000;

/** A target of load: a part of a product, with its generators. */
export interface Place {
  readonly target: Target;
  /** Null: the target runs elsewhere. */
  readonly product: LoadedProduct | null;
  readonly swarm: Swarm;
  readonly run: Run;
}

/** What a command changes in the product that it starts. */
export interface Changes {
  /** Heap sizes of services; default: that of Node.js. */
  readonly heapsMiB?: HeapsMiB;
  /** Life of an ad, in seconds; default: the product's. */
  readonly adSeconds?: number;
}

/** Starts a product, unless the target runs elsewhere, with generators for the target, and stops both after use. */
export async function atTarget<Result>(
  target: Target,
  run: Run,
  use: (place: Place) => Promise<Result>,
  changes: Changes = {},
): Promise<Result> {
  const product = run.options.address === null ? await startProduct(target, run, changes) : null;
  try {
    return await atPart(target, product, run, use, changes);
  } finally {
    await product?.close();
  }
}

/** Like {@link atTarget}, on a running product; null: elsewhere. */
export async function atPart<Result>(
  target: Target,
  product: LoadedProduct | null,
  run: Run,
  use: (place: Place) => Promise<Result>,
  { adSeconds }: Pick<Changes, 'adSeconds'> = {},
): Promise<Result> {
  const usual = assignmentOf(target, run.options, product);
  const assignment = adSeconds === undefined ? usual : { ...usual, adMs: adSeconds * SECOND_MS };
  const swarm = await Swarm.open(assignment, run.options.generators, run.stopping);
  try {
    return await use({ target, product, swarm, run });
  } finally {
    swarm.close();
  }
}

/** Starts a product by the options. A stub replaces the services behind the target. */
export function startProduct(
  target: Target,
  { options, say, stopping }: Run,
  { heapsMiB = {}, adSeconds }: Changes = {},
): Promise<LoadedProduct> {
  const size = options.catalog ?? `${options.catalogSize} made campaigns`;
  say(`${target}: starting the product (${size}${options.usesStub ? ', a stub behind it' : ''}) …`);
  return openLoadedProduct({
    catalog: options.catalog,
    catalogSize: options.catalogSize,
    seed: options.seed,
    stubFor: options.usesStub ? target : null,
    profiles: options.profiles,
    env: adSeconds === undefined ? {} : { AD_TTL_SECONDS: String(adSeconds) },
    heapsMiB,
    stopping,
  });
}

/** Runs a phase at a place, and waits for the settlement of its events when there is a worker. Reports each second. */
export function putUnderLoad(
  place: Place,
  phase: Phase,
  listening: Partial<Pick<Measured, 'say' | 'lineOf' | 'measuring'>> = {},
): Promise<LoadFigures> {
  const { product, swarm, run } = place;
  const { options } = run;
  return runPhase(
    {
      swarm,
      generators: options.generators,
      pids: product?.product.pids ?? {},
      otherPids: product?.stub == null ? {} : { stub: product.stub.pid },
      workerMetrics: product === null || !settles(place) ? null : metricsUrlOf(product, 'settlement-worker'),
      profiles: product !== null && options.profiles,
      say: run.say,
      ...listening,
    },
    phase,
  );
}

/** The phase of the options. Throws an `Error` when the target has no operation of the mix. */
export function phaseOf(target: Target, options: LoadOptions): Phase {
  const mix = options.mix === null ? usualMix(target) : only(options.mix, target);
  if (Object.keys(mix).length === 0) throw new Error(`${target} has no operation of this mix`);
  return {
    mix,
    rate: options.rate,
    concurrency: options.concurrency,
    callsMax: null,
    warmupMs: options.warmupMs,
    durationMs: options.durationMs,
    fall: null,
    // Sessions and ads that are not in the mix are made without a measurement, if possible.
    callsForSessions: mix.initialize !== undefined,
    endsWithoutFills: false,
    keepsAnswers: true,
  };
}

/** A closed loop with a mix and the options' duration, without a warm-up. */
export function closedPhase(mix: Mix, options: LoadOptions): Phase {
  return {
    mix,
    rate: null,
    concurrency: options.concurrency,
    callsMax: null,
    warmupMs: 0,
    durationMs: options.durationMs,
    fall: null,
    callsForSessions: false,
    endsWithoutFills: false,
    keepsAnswers: true,
  };
}

/** Whether events reach the worker. With a stub they do not. */
function settles({ target, run }: Place): boolean {
  return target === 'events' || (target === 'gateway' && !run.options.usesStub);
}

/** The phones of the options. */
export function trafficOf({ sessions, acceptsGzip, timeoutMs, seed }: LoadOptions): Traffic {
  return { sessions, acceptsGzip, timeoutMs, adMs: AD_MS, seed };
}

function assignmentOf(target: Target, options: LoadOptions, product: LoadedProduct | null): Assignment {
  const traffic = trafficOf(options);
  if (product !== null) return assignmentTo(product, { target, address: product.addressOf(target) }, traffic);
  const { env } = process;
  const [session, impression] = [env['SESSION_TOKEN_KEYS'] ?? '', env['IMPRESSION_TOKEN_KEYS'] ?? ''];
  const given = session === '' || impression === '' ? null : { session, impression };
  const { catalog: catalogFile } = options;
  if (catalogFile === null) throw new Error('--address needs --catalog: a file with apps of the target');
  return {
    target,
    address: options.address ?? '',
    catalogFile,
    keys: given,
    sessionAddress: env['SESSION_SERVICE_ADDRESS'] ?? null,
    servingAddress: env['SERVING_SERVICE_ADDRESS'] ?? null,
    ...traffic,
  };
}
