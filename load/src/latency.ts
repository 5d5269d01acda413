import type { LoadFigures } from './figures.js';
import { assignmentTo, pidsBeside } from './compare/beside-product.js';
import type { Phase } from './generator/messages.js';
import { atTarget, phaseOf, putUnderLoad, trafficOf, type Place } from './place.js';
import { metricsUrlOf, type LoadedProduct } from './loaded-product.js';
import { readMetrics } from './measure/metrics.js';
import { runPhase } from './run-phase.js';
import type { Run } from './run.js';
import { findSaturation, type Saturation } from './saturation.js';
import { openSkeleton } from './compare/skeleton-processes.js';
import { stepsBetween, WAYSIDE, type CallSteps, type Snapshot } from './compare/steps.js';
import { Swarm } from './swarm.js';

/** Latency without load, and at half of the product's saturation. */
export interface LatencyResult extends Saturation {
  readonly product: Latencies<SteppedFigures>;
  /** Latencies of the skeleton at the same rate. */
  readonly skeleton: Latencies;
}

/** Latencies of calls. */
export interface Latencies<Figures extends LoadFigures = LoadFigures> {
  /** An open loop at half of the product's saturation. */
  readonly half: Figures;
  /** One call at a time. */
  readonly unloaded: Figures;
}

/** Figures with the steps in which the product's calls spend their time. */
export interface SteppedFigures extends LoadFigures {
  readonly calls: readonly CallSteps[];
}

/** Measures the saturation of the gateway, and then the latencies at half of it and without load. */
export function runLatency(run: Run): Promise<LatencyResult> {
  const { options, say } = run;
  return atTarget('gateway', run, async (place) => {
    const usual = phaseOf('gateway', options);
    const { closed, saturation } = await findSaturation(place, usual);
    const measure: Measure = async (name, under) => {
      say(`latency: ${name}, ${(saturation / 2).toFixed(0)} a second, half of saturation …`);
      const half = await under({ ...usual, rate: saturation / 2 });
      say(`latency: ${name}, one at a time …`);
      return { half, unloaded: await under({ ...usual, concurrency: 1, rate: null }) };
    };
    const product = await measure('the product', (phase) => withSteps(place, phase));
    return { closed, saturation, product, skeleton: await besideIt(place, measure) };
  });
}

type Measure = <Figures extends LoadFigures>(
  name: string,
  under: (phase: Phase) => Promise<Figures>,
) => Promise<Latencies<Figures>>;

/** Loads the product and reads its metrics after the warm-up and at the end, to find where the time is spent. */
async function withSteps(place: Place, phase: Phase): Promise<SteppedFigures> {
  const product = startedHere(place);
  const warm: { snapshot: Promise<Snapshot> | null } = { snapshot: null };
  const figures = await putUnderLoad(place, phase, {
    measuring: () => {
      warm.snapshot = takeSnapshot(product);
      // A failure is reported where it is awaited below.
      warm.snapshot.catch(() => undefined);
    },
  });
  const before = await warm.snapshot;
  if (before === null) throw new Error('the load ended before its warm-up did');
  return { ...figures, calls: stepsBetween(before, await takeSnapshot(product), figures) };
}

/** The current metrics of the processes of a call. */
export async function takeSnapshot(product: LoadedProduct): Promise<Snapshot> {
  const texts = WAYSIDE.map(async (name) => [name, await readMetrics(metricsUrlOf(product, name))] as const);
  return Object.fromEntries(await Promise.all(texts)) as Snapshot;
}

function startedHere({ product }: Place): LoadedProduct {
  if (product === null) throw new Error('latency is measured of a product that it starts');
  return product;
}

/** The same load on the skeleton, as a reference for this machine. */
async function besideIt(place: Place, measure: Measure): Promise<Latencies> {
  const product = startedHere(place);
  const { options, say, stopping } = place.run;
  const skeleton = await openSkeleton(product.redisUrl);
  const at = { target: 'skeleton', address: skeleton.address } as const;
  const swarm = await Swarm.open(assignmentTo(product, at, trafficOf(options)), options.generators, stopping);
  const measured = {
    swarm,
    generators: options.generators,
    pids: pidsBeside(product, skeleton),
    otherPids: {},
    workerMetrics: null,
    profiles: false,
    say,
  };
  try {
    return await measure('the skeleton', (phase) =>
      runPhase(measured, { ...phase, mix: { request: 1 }, callsForSessions: false }),
    );
  } finally {
    swarm.close();
    skeleton.close();
  }
}
