import type { LoadFigures } from './figures.js';
import { assignmentTo, pidsBeside } from './beside-product.js';
import type { Phase } from './generator/messages.js';
import { atTarget, phaseOf, putUnderLoad, trafficOf, type Place } from './place.js';
import { runPhase } from './run-phase.js';
import type { Run } from './run.js';
import { openSkeleton } from './skeleton-processes.js';
import { Swarm } from './swarm.js';

/** Latency without load, and at half of what the product can carry. */
export interface LatencyResult {
  /** Closed loops on the product, each with more calls on their way. */
  readonly closed: readonly ClosedLoop[];
  /** Answers a second of the best of them. */
  readonly saturation: number;
  readonly product: Latencies;
  /** At the same rate. */
  readonly skeleton: Latencies;
}

/** How long calls take. */
export interface Latencies {
  /** An open loop at half of the product's saturation. */
  readonly half: LoadFigures;
  /** One call at a time. */
  readonly unloaded: LoadFigures;
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
    const measure = async (name: string, under: Under): Promise<Latencies> => {
      say(`latency: ${name}, ${(saturation / 2).toFixed(0)} a second, half of saturation …`);
      const half = await under({ ...usual, rate: saturation / 2 });
      say(`latency: ${name}, one at a time …`);
      return { half, unloaded: await under({ ...usual, concurrency: 1, rate: null }) };
    };
    const product = await measure('the product', (phase) => putUnderLoad(place, phase));
    return { closed, saturation, product, skeleton: await besideIt(place, measure) };
  });
}

type Under = (phase: Phase) => Promise<LoadFigures>;

/** The same load on the skeleton, which says what this machine makes of the shape alone. */
async function besideIt(
  { product, run }: Place,
  measure: (name: string, under: Under) => Promise<Latencies>,
): Promise<Latencies> {
  if (product === null) throw new Error('latency is measured of a product that it starts');
  const { options, say, stopping } = run;
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
