import type { LoadFigures } from '../figures.js';
import type { Assignment, Phase } from '../generator/messages.js';
import { metricsUrlOf, openLoadedProduct, type LoadedProduct } from '../loaded-product.js';
import type { Mix } from '../operations.js';
import type { LoadOptions } from '../options.js';
import { runPhase } from '../run-phase.js';
import type { Run } from '../run.js';
import { closedPhase, trafficOf } from '../place.js';
import { assignmentTo, pidsBeside } from './beside-product.js';
import { openSkeleton, type Skeleton } from './skeleton-processes.js';
import { Swarm } from '../swarm.js';

/** Steps of a comparison in the order of a round. */
export const STEPS = ['skeleton', 'session', 'request', 'impression', 'plain'] as const;
/** One of them. */
export type Step = (typeof STEPS)[number];

/** One round: every requested step once. */
export type Round = Readonly<Partial<Record<Step, LoadFigures>> & Record<'skeleton', LoadFigures>>;

/** Product and skeleton, in turns. */
export interface CompareResult {
  readonly rounds: readonly Round[];
}

/** The mix of each step. */
const MIXES: Readonly<Record<Step, Mix>> = {
  skeleton: { request: 1 },
  session: { initialize: 1 },
  request: { request: 1 },
  impression: { impression: 1 },
  plain: { request: 1 },
};

/** Runs the rounds on one product and one skeleton, which share the stores. */
export async function runCompare(run: Run, steps: readonly Step[] = STEPS): Promise<CompareResult> {
  const { options, say, stopping } = run;
  say(`${options.command}: starting the product and the skeleton …`);
  const product = await openLoadedProduct({
    catalog: options.catalog,
    catalogSize: options.catalogSize,
    seed: options.seed,
    stubFor: null,
    profiles: false,
    env: {},
    usesTls: options.usesTls,
    stopping,
  });
  try {
    const skeleton = await openSkeleton(product.redisUrl);
    try {
      return await runRounds({ product, skeleton }, steps, run);
    } finally {
      skeleton.close();
    }
  } finally {
    await product.close();
  }
}

interface Both {
  readonly product: LoadedProduct;
  readonly skeleton: Skeleton;
}

async function runRounds(
  { product, skeleton }: Both,
  steps: readonly Step[],
  { options, say, stopping }: Run,
): Promise<CompareResult> {
  const open = (target: Assignment['target'], address: string): Promise<Swarm> =>
    Swarm.open(assignmentTo(product, { target, address }, trafficOf(options)), options.generators, stopping);
  const swarms = {
    product: await open('gateway', product.addressOf('gateway')),
    skeleton: await open('skeleton', skeleton.address),
    plain: await open('plain', skeleton.address),
  };
  const runStep = async (title: string, step: Step, durationMs: number): Promise<LoadFigures> => {
    const isProduct = step === 'session' || step === 'request' || step === 'impression';
    const figures = await runPhase(
      {
        swarm: isProduct ? swarms.product : swarms[step],
        generators: options.generators,
        pids: isProduct ? product.product.pids : pidsBeside(product, skeleton),
        otherPids: {},
        workerMetrics: step === 'impression' ? metricsUrlOf(product, 'settlement-worker') : null,
        profiles: false,
        say: () => undefined,
      },
      phaseOf(step, options, durationMs),
    );
    const perSecond = figures.operations[0]?.perSecond ?? 0;
    say(
      `${title}  ${step.padEnd(10)}  ${figures.cpuMicrosPerCall.toFixed(0).padStart(5)} µs CPU a call  ${perSecond.toFixed(0).padStart(6)}/s`,
    );
    return figures;
  };
  try {
    if (options.warmupMs > 0) for (const step of steps) await runStep('warm-up', step, options.warmupMs);
    const rounds: Round[] = [];
    for (let number = 1; number <= options.rounds; number += 1) {
      const round: Partial<Record<Step, LoadFigures>> = {};
      for (const step of steps) round[step] = await runStep(`round ${number}`, step, options.durationMs);
      rounds.push(round as Round);
    }
    return { rounds };
  } finally {
    for (const swarm of Object.values(swarms)) swarm.close();
  }
}

/** Pause between two steps, in which connections become idle. The first calls of the next step are not counted. */
const SETTLE_MS = 500;

function phaseOf(step: Step, options: LoadOptions, durationMs: number): Phase {
  return {
    ...closedPhase(MIXES[step], options),
    warmupMs: SETTLE_MS,
    durationMs,
    // Each impression uses up an ad.
    endsWithoutFills: step === 'impression',
  };
}

/** CPU of a step compared with the skeleton of the same round. */
export interface Ratio {
  readonly step: Step;
  /** CPU microseconds per call, one for each round. */
  readonly micros: readonly number[];
  /** Multiples of the skeleton's CPU in the same round. */
  readonly ratios: readonly number[];
}

/** The price of each step, by round. */
export function ratiosOf({ rounds }: CompareResult): readonly Ratio[] {
  const ratios = STEPS.map((step) => {
    const each = rounds.flatMap(({ skeleton, [step]: figures }) =>
      figures === undefined ? [] : [[figures.cpuMicrosPerCall, skeleton.cpuMicrosPerCall] as const],
    );
    return {
      step,
      micros: each.map(([micros]) => micros),
      ratios: each.map(([micros, ofSkeleton]) => micros / ofSkeleton),
    };
  });
  return ratios.filter(({ micros }) => micros.length > 0);
}
