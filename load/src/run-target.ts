import type { LoadFigures } from './figures.js';
import type { Assignment, Phase } from './generator/messages.js';
import { openLoadedProduct, type LoadedProduct } from './loaded-product.js';
import { only, usualMix, type Target } from './operations.js';
import type { LoadOptions } from './options.js';
import { profiledCount, readProfiles, type ProcessProfile } from './profile/profiles.js';
import { runPhase, workerMetricsOf } from './run-phase.js';
import { Swarm } from './swarm.js';

/** What a target came to. */
export interface TargetResult {
  readonly target: Target;
  readonly figures: LoadFigures;
  readonly profiles: readonly ProcessProfile[];
}

/** The part of the product that a target is loaded in: started here, or running elsewhere. */
interface Place {
  readonly product: LoadedProduct | null;
  readonly assignment: Assignment;
}

/** Phones behind one proxy share connections, but an open loop must not wait for one. */
const OPEN_CONNECTIONS = 128;

/** Puts one target under load, with a product of its own unless it runs elsewhere. */
export async function runTarget(
  target: Target,
  options: LoadOptions,
  say: (text: string) => void,
): Promise<TargetResult> {
  const product = options.address === null ? await start(target, options, say) : null;
  try {
    return await runIn({ product, assignment: assignmentOf(target, options, product) }, options, say);
  } finally {
    await product?.close();
  }
}

function start(target: Target, options: LoadOptions, say: (text: string) => void): Promise<LoadedProduct> {
  const size = options.catalog ?? `${options.catalogSize} made campaigns`;
  say(`${target}: starting the product (${size}${options.usesStub ? ', a stub behind it' : ''}) …`);
  return openLoadedProduct({
    catalog: options.catalog,
    catalogSize: options.catalogSize,
    seed: options.seed,
    stubFor: options.usesStub ? target : null,
    profiles: options.profiles,
    env: {},
  });
}

async function runIn(
  { product, assignment }: Place,
  options: LoadOptions,
  say: (text: string) => void,
): Promise<TargetResult> {
  const target = assignment.target as Target;
  const swarm = await Swarm.open(assignment, options.generators);
  try {
    const isProfiled = options.profiles && product !== null;
    const figures = await runPhase(
      {
        swarm,
        generators: options.generators,
        pids: product?.product.pids ?? {},
        otherPids: product?.stub == null ? {} : { stub: product.stub.pid },
        workerMetrics: product === null || !settles(target, options) ? null : workerMetricsOf(product),
        profiles: isProfiled,
        say,
      },
      phaseOf(target, options),
    );
    const profiles = isProfiled
      ? await readProfiles(product.profileDir ?? '', profiledCount(product.product.pids))
      : [];
    return { target, figures, profiles };
  } finally {
    swarm.close();
  }
}

/** Behind a stub nothing reaches the worker. */
function settles(target: Target, { usesStub }: LoadOptions): boolean {
  return target === 'events' || (target === 'gateway' && !usesStub);
}

function assignmentOf(target: Target, options: LoadOptions, product: LoadedProduct | null): Assignment {
  const { env } = process;
  const [session, impression] = [env['SESSION_TOKEN_KEYS'] ?? '', env['IMPRESSION_TOKEN_KEYS'] ?? ''];
  const given = session === '' || impression === '' ? null : { session, impression };
  const catalogFile = product?.catalogFile ?? options.catalog;
  if (catalogFile === null)
    throw new Error('--address needs --catalog: a file with apps that the target knows');
  return {
    target,
    address: product?.addressOf(target) ?? options.address ?? '',
    catalogFile,
    keys: product?.keys ?? given,
    sessionAddress: env['SESSION_SERVICE_ADDRESS'] ?? null,
    servingAddress: env['SERVING_SERVICE_ADDRESS'] ?? null,
    sessions: options.sessions,
    connections:
      options.rate === null ? options.concurrency : Math.max(options.concurrency, OPEN_CONNECTIONS),
    acceptsGzip: options.acceptsGzip,
    seed: options.seed,
  };
}

function phaseOf(target: Target, options: LoadOptions): Phase {
  const mix = options.mix === null ? usualMix(target) : only(options.mix, target);
  if (Object.keys(mix).length === 0) throw new Error(`${target} can be asked nothing of this mix`);
  return {
    mix,
    rate: options.rate,
    concurrency: options.concurrency,
    warmupMs: options.warmupMs,
    durationMs: options.durationMs,
    // What the mix does not ask for by itself is had without being measured, where it can be.
    callsForSessions: mix.initialize !== undefined,
    endsWithoutFills: false,
  };
}
