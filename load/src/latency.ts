import type { LoadFigures } from './figures.js';
import { assignmentTo, pidsBeside } from './compare/beside-product.js';
import type { Phase } from './generator/messages.js';
import { atTarget, phaseOf, putUnderLoad, trafficOf, type Place } from './place.js';
import { metricsUrlOf, type LoadedProduct } from './loaded-product.js';
import { readMetrics } from './measure/metrics.js';
import { runPhase } from './run-phase.js';
import type { Run } from './run.js';
import { openSkeleton } from './compare/skeleton-processes.js';
import { stepsBetween, WAYSIDE, type CallSteps, type Snapshot } from './compare/steps.js';
import { Swarm } from './swarm.js';

/** Latency without load, and at half of what the product can carry. */
export interface LatencyResult {
  /** Closed loops on the product, each with more calls on their way. */
  readonly closed: readonly ClosedLoop[];
  /** Answers a second of the best of them. */
  readonly saturation: number;
  readonly product: Latencies<SteppedFigures>;
  /** At the same rate. */
  readonly skeleton: Latencies;
}

/** How long calls take. */
export interface Latencies<Figures extends LoadFigures = LoadFigures> {
  /** An open loop at half of the product's saturation. */
  readonly half: Figures;
  /** One call at a time. */
  readonly unloaded: Figures;
}

/** With where the calls of the product spend their time. */
export interface SteppedFigures extends LoadFigures {
  readonly calls: readonly CallSteps[];
}

/** A closed loop with so many calls on their way. */
export interface ClosedLoop {
  readonly concurrency: number;
  readonly figures: LoadFigures;
}

/** Calls on their way in the search for saturation; more only wait longer. */
const LANES = [16, 32, 64] as const;

/** Finds out what the gateway can carry and then what a call takes at half of it, and without load. */
export function runLatency(run: Run): Promise<LatencyResult> {
  const { options, say } = run;
  return atTarget('gateway', run, async (place) => {
    const usual = phaseOf('gateway', options);
    const closed: ClosedLoop[] = [];
    for (const concurrency of LANES) {
      say(`latency: ${concurrency} at a time …`);
      closed.push({ concurrency, figures: await putUnderLoad(place, { ...usual, concurrency, rate: null }) });
    }
    const saturation = Math.max(...closed.map(({ figures }) => perSecondOf(figures)));
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

/** Puts the product under load and asks its processes, when the warm-up is over and at the end, where the time went. */
async function withSteps(place: Place, phase: Phase): Promise<SteppedFigures> {
  const product = startedHere(place);
  const warm: { snapshot: Promise<Snapshot> | null } = { snapshot: null };
  const figures = await putUnderLoad(place, phase, {
    measuring: () => {
      warm.snapshot = takeSnapshot(product);
      // Whoever waits for it below hears of a failure.
      warm.snapshot.catch(() => undefined);
    },
  });
  const before = await warm.snapshot;
  if (before === null) throw new Error('the load ended before its warm-up did');
  return { ...figures, calls: stepsBetween(before, await takeSnapshot(product), figures) };
}

/** What the processes on the way of a call say of themselves now. */
export async function takeSnapshot(product: LoadedProduct): Promise<Snapshot> {
  const texts = WAYSIDE.map(async (name) => [name, await readMetrics(metricsUrlOf(product, name))] as const);
  return Object.fromEntries(await Promise.all(texts)) as Snapshot;
}

function startedHere({ product }: Place): LoadedProduct {
  if (product === null) throw new Error('latency is measured of a product that it starts');
  return product;
}

/** The same load on the skeleton, which says what this machine makes of the shape alone. */
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

/** Answers a second, of whatever kind. */
export function perSecondOf({ operations }: LoadFigures): number {
  return operations[0]?.perSecond ?? 0;
}
