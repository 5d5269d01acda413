import type { LoadFigures } from './figures.js';
import type { Assignment, Phase } from './generator/messages.js';
import { openLoadedProduct, type LoadedProduct } from './loaded-product.js';
import type { Mix } from './operations.js';
import type { LoadOptions } from './options.js';
import { runPhase, workerMetricsOf } from './run-phase.js';
import type { Run } from './run.js';
import { openSkeleton, type Skeleton } from './skeleton-processes.js';
import { Swarm } from './swarm.js';

/** What is compared, in the order in which a round runs it. */
export const STEPS = ['skeleton', 'session', 'request', 'impression', 'plain'] as const;
/** One of them. */
export type Step = (typeof STEPS)[number];

/** One round: every step once. */
export type Round = Readonly<Record<Step, LoadFigures>>;

/** Product and skeleton, in turns. */
export interface CompareResult {
  readonly rounds: readonly Round[];
}

/** What is measured of each step in one round. */
const MIXES: Readonly<Record<Step, Mix>> = {
  skeleton: { request: 1 },
  session: { initialize: 1 },
  request: { request: 1 },
  impression: { impression: 1 },
  plain: { request: 1 },
};

/** Runs the rounds on one product and one skeleton, which share the stores. */
export async function runCompare(run: Run): Promise<CompareResult> {
  const { options, say, stopping } = run;
  say('compare: starting the product and the skeleton …');
  const product = await openLoadedProduct({
    catalog: options.catalog,
    catalogSize: options.catalogSize,
    seed: options.seed,
    stubFor: null,
    profiles: false,
    env: {},
    stopping,
  });
  try {
    const skeleton = await openSkeleton(product.redisUrl);
    try {
      return await runRounds({ product, skeleton }, run);
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
  { options, say, stopping }: Run,
): Promise<CompareResult> {
  const { generators } = options;
  const open = (target: Assignment['target'], address: string): Promise<Swarm> =>
    Swarm.open(assignmentOf(target, address, { product, options }), generators, stopping);
  const swarms = {
    product: await open('gateway', product.addressOf('gateway')),
    skeleton: await open('skeleton', skeleton.address),
    plain: await open('plain', skeleton.address),
  };
  const { pids: productPids } = product.product;
  const redis = productPids['redis'];
  const runStep = (step: Step, isFirst: boolean): Promise<LoadFigures> => {
    const isProduct = step === 'session' || step === 'request' || step === 'impression';
    return runPhase(
      {
        swarm: isProduct ? swarms.product : swarms[step],
        generators,
        // Redis is shared: what it does in a step is that step's, since nothing else runs then.
        pids: isProduct ? productPids : { ...skeleton.pids, ...(redis === undefined ? {} : { redis }) },
        otherPids: {},
        workerMetrics: step === 'impression' ? workerMetricsOf(product) : null,
        profiles: false,
        say: () => undefined,
      },
      phaseOf(step, options, isFirst),
    );
  };
  try {
    const rounds: Round[] = [];
    for (let number = 1; number <= options.rounds; number += 1) {
      const round: Partial<Record<Step, LoadFigures>> = {};
      for (const step of STEPS) {
        const figures = await runStep(step, number === 1);
        round[step] = figures;
        const perSecond = figures.operations[0]?.perSecond ?? 0;
        say(
          `round ${number}  ${step.padEnd(10)}  ${figures.cpuMicrosPerCall.toFixed(0).padStart(5)} µs CPU a call  ${perSecond.toFixed(0).padStart(6)}/s`,
        );
      }
      rounds.push(round as Round);
    }
    return { rounds };
  } finally {
    for (const swarm of Object.values(swarms)) swarm.close();
  }
}

/** Processes are warm after the first round; impressions are never warmed up for long, since each uses up an ad. */
const WARM_MS = 500;

function phaseOf(step: Step, options: LoadOptions, isFirst: boolean): Phase {
  const isImpression = step === 'impression';
  return {
    mix: MIXES[step],
    rate: null,
    concurrency: options.concurrency,
    callsMax: null,
    warmupMs: isImpression ? WARM_MS : isFirst ? options.warmupMs : Math.min(options.warmupMs, WARM_MS),
    durationMs: options.durationMs,
    callsForSessions: false,
    endsWithoutFills: isImpression,
  };
}

function assignmentOf(
  target: Assignment['target'],
  address: string,
  { product, options }: { readonly product: LoadedProduct; readonly options: LoadOptions },
): Assignment {
  return {
    target,
    address,
    catalogFile: product.catalogFile,
    keys: product.keys,
    sessionAddress: null,
    servingAddress: null,
    sessions: options.sessions,
    connections: options.concurrency,
    acceptsGzip: options.acceptsGzip,
    seed: options.seed,
  };
}

/** What a step cost in CPU against the skeleton of the same round. */
export interface Ratio {
  readonly step: Step;
  /** CPU microseconds per call, one for each round. */
  readonly micros: readonly number[];
  /** By the skeleton's of the same round. */
  readonly ratios: readonly number[];
}

/** The price of each step, round by round. */
export function ratiosOf({ rounds }: CompareResult): readonly Ratio[] {
  return STEPS.map((step) => ({
    step,
    micros: rounds.map((round) => round[step].cpuMicrosPerCall),
    ratios: rounds.map((round) => round[step].cpuMicrosPerCall / round.skeleton.cpuMicrosPerCall),
  }));
}

/** The middle of a list, the mean of both middles when it is even; NaN when it is empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
