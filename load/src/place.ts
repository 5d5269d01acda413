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

/** Somewhere that load can be put: a part of a product, and the generators that are bound for it. */
export interface Place {
  readonly target: Target;
  /** Null: it runs elsewhere. */
  readonly product: LoadedProduct | null;
  readonly swarm: Swarm;
  readonly run: Run;
}

/**
 * Starts a product, unless the target runs elsewhere, with generators for the target, for as long as it is used. `heapsMiB`
 * limits the heaps of its services.
 */
export async function atTarget<Result>(
  target: Target,
  run: Run,
  use: (place: Place) => Promise<Result>,
  heapsMiB: HeapsMiB = {},
): Promise<Result> {
  const product = run.options.address === null ? await startProduct(target, run, heapsMiB) : null;
  try {
    return await atPart(target, product, run, use);
  } finally {
    await product?.close();
  }
}

/** The same on a product that runs already; null: elsewhere. */
export async function atPart<Result>(
  target: Target,
  product: LoadedProduct | null,
  run: Run,
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  const assignment = assignmentOf(target, run.options, product);
  const swarm = await Swarm.open(assignment, run.options.generators, run.stopping);
  try {
    return await use({ target, product, swarm, run });
  } finally {
    swarm.close();
  }
}

/** A product as the options want it; the stub, if any, stands behind the target. */
export function startProduct(
  target: Target,
  { options, say, stopping }: Run,
  heapsMiB: HeapsMiB = {},
): Promise<LoadedProduct> {
  const size = options.catalog ?? `${options.catalogSize} made campaigns`;
  say(`${target}: starting the product (${size}${options.usesStub ? ', a stub behind it' : ''}) …`);
  return openLoadedProduct({
    catalog: options.catalog,
    catalogSize: options.catalogSize,
    seed: options.seed,
    stubFor: options.usesStub ? target : null,
    profiles: options.profiles,
    env: {},
    heapsMiB,
    stopping,
  });
}

/** Runs a phase there; with its events settled where a worker is known. The run is told each second, or who listens. */
export function putUnderLoad(
  place: Place,
  phase: Phase,
  listening: Partial<Pick<Measured, 'say' | 'measuring'>> = {},
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

/** The phase that the options describe. Throws an `Error` when the target can be asked nothing of the mix. */
export function phaseOf(target: Target, options: LoadOptions): Phase {
  const mix = options.mix === null ? usualMix(target) : only(options.mix, target);
  if (Object.keys(mix).length === 0) throw new Error(`${target} can be asked nothing of this mix`);
  return {
    mix,
    rate: options.rate,
    concurrency: options.concurrency,
    callsMax: null,
    warmupMs: options.warmupMs,
    durationMs: options.durationMs,
    // What the mix does not ask for by itself is had without being measured, where it can be.
    callsForSessions: mix.initialize !== undefined,
    endsWithoutFills: false,
    keepsAnswers: true,
  };
}

/** A closed loop of that mix, at once and for as long as the options say. */
export function closedPhase(mix: Mix, options: LoadOptions): Phase {
  return {
    mix,
    rate: null,
    concurrency: options.concurrency,
    callsMax: null,
    warmupMs: 0,
    durationMs: options.durationMs,
    callsForSessions: false,
    endsWithoutFills: false,
    keepsAnswers: true,
  };
}

/** Behind a stub nothing reaches the worker. */
function settles({ target, run }: Place): boolean {
  return target === 'events' || (target === 'gateway' && !run.options.usesStub);
}

/** The phones that the options describe; no call waits for the connection of another. */
export function trafficOf({ sessions, acceptsGzip, seed }: LoadOptions): Traffic {
  return { sessions, connections: Number.POSITIVE_INFINITY, acceptsGzip, seed };
}

function assignmentOf(target: Target, options: LoadOptions, product: LoadedProduct | null): Assignment {
  const traffic = trafficOf(options);
  if (product !== null) return assignmentTo(product, { target, address: product.addressOf(target) }, traffic);
  const { env } = process;
  const [session, impression] = [env['SESSION_TOKEN_KEYS'] ?? '', env['IMPRESSION_TOKEN_KEYS'] ?? ''];
  const given = session === '' || impression === '' ? null : { session, impression };
  const { catalog: catalogFile } = options;
  if (catalogFile === null)
    throw new Error('--address needs --catalog: a file with apps that the target knows');
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
