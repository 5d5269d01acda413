import type { Phase } from '../generator/messages.js';
import { countOf, secondFigures } from '../figures.js';
import { metricsUrlOf, type LoadedProduct } from '../loaded-product.js';
import { descriptorLimitOf, watchDescriptors } from '../measure/descriptors.js';
import { watchMemory } from '../measure/memory.js';
import { atTarget, phaseOf, putUnderLoad, type Place } from '../place.js';
import type { Run } from '../run.js';
import type { Measured } from '../run-phase.js';
import { findSaturation } from '../saturation.js';
import { untilNothingHeld } from './held-money.js';
import { stepFigures, type StepFigures } from './step-figures.js';
import { P99_TIMES_MAX, verdictsOf, type Judged, type Verdict } from './verdicts.js';

/** The product under more load than it can answer. */
export interface OverloadResult extends Judged {
  readonly verdicts: readonly Verdict[];
  /** Number of files and connections that the gateway may have open; null: not known. */
  readonly descriptorLimit: number | null;
}

/** Offered loads as multiples of saturation. The first is the reference of latencies. */
const STEPS = [0.5, 1, 1.5, 2, 3] as const;
const HALF = 0.5;
/** Time of half load after a step. It shows how fast the product recovers. */
const FALL_MS_MAX = 10_000;
const FALLS_PER_STEP_MAX = 3;
const SEARCH_MS_MAX = 15_000;
const SAMPLE_MS = 1_000;
const SECOND_MS = 1_000;
/** Processes on the way of an ad request and an event. */
const WATCHED = ['gateway', 'serving-service', 'events-service'] as const;
/** Descriptors of the gateway for other things than clients. */
const OTHER_DESCRIPTORS = 200;
/** Life of an ad in this run. With the usual half an hour the run would last as long. */
const AD_SECONDS = 60;

/** Offers the gateway more and more load, up to three times its saturation. */
export function runOverload(run: Run): Promise<OverloadResult> {
  return atTarget('gateway', run, (place) => measure(place), { adSeconds: AD_SECONDS });
}

async function measure(place: Place): Promise<OverloadResult> {
  const { product, run } = place;
  const { options, say, stopping } = run;
  if (product === null) throw new Error('overload needs a product that it starts');
  // Sessions are made without calls where phones need more of them, so that refusals do not change the mix.
  const usual = { ...phaseOf('gateway', options), callsForSessions: false };
  const saturation = options.saturation ?? (await searchSaturation(place, usual));
  const descriptorLimit = descriptorLimitOf(gatewayOf(product));
  warnOfDescriptors(run, saturation, descriptorLimit);
  const steps: StepFigures[] = [];
  for (const times of STEPS) {
    const half = steps[0];
    say(`overload: ${times} × saturation, ${(times * saturation).toFixed(0)} calls a second …`);
    const fall =
      half === undefined
        ? null
        : {
            rate: HALF * saturation,
            durationMs: Math.min(FALL_MS_MAX, FALLS_PER_STEP_MAX * options.durationMs),
            quickMs: P99_TIMES_MAX * half.accepted.p99,
          };
    const warmupMs = half === undefined ? usual.warmupMs : 0;
    const phase = { ...usual, rate: times * saturation, warmupMs, fall };
    steps.push(await runStep({ ...place, product }, phase, times));
  }
  say(`overload: waiting until the ads are over and no money is held …`);
  const money = await untilNothingHeld(metricsUrlOf(product, 'settlement-worker'), AD_SECONDS, stopping);
  const judged = { saturation, steps, money };
  return { ...judged, verdicts: verdictsOf(judged), descriptorLimit };
}

async function searchSaturation(place: Place, usual: Phase): Promise<number> {
  const durationMs = Math.min(usual.durationMs, SEARCH_MS_MAX);
  return (await findSaturation(place, { ...usual, durationMs })).saturation;
}

function gatewayOf({ product }: LoadedProduct): number {
  return product.pids['gateway'] ?? 0;
}

/** Says when the worst case, that no call is answered, needs more connections than a process may have. */
function warnOfDescriptors({ options, say }: Run, saturation: number, limit: number | null): void {
  const rate = (STEPS.at(-1) ?? 1) * saturation;
  const needed = Math.ceil((rate * options.timeoutMs) / SECOND_MS) + OTHER_DESCRIPTORS;
  if (limit === null || needed <= limit) return;
  say(
    `overload: up to ${needed} connections may be open at once, and a process may have ${limit}. If they are used up, the figures are void; \`ulimit -n ${needed}\` before the command raises the limit.`,
  );
}

async function runStep(
  place: Place & { readonly product: LoadedProduct },
  phase: Phase,
  times: number,
): Promise<StepFigures> {
  const { pids } = place.product.product;
  const watched = Object.fromEntries(WATCHED.map((name) => [name, pids[name] ?? 0]));
  const endMemory = watchMemory(watched, SAMPLE_MS);
  const endDescriptors = watchDescriptors(gatewayOf(place.product), SAMPLE_MS);
  try {
    const load = await putUnderLoad(place, phase, { lineOf });
    return stepFigures(load, phase, {
      times,
      memory: Object.fromEntries(endMemory()),
      descriptorsMax: endDescriptors(),
    });
  } finally {
    endMemory();
    endDescriptors();
  }
}

const lineOf: NonNullable<Measured['lineOf']> = (parts, second) => {
  const { p99 } = secondFigures(parts);
  const counts = (['accepted', 'refused', 'left', 'failed'] as const)
    .map((outcome) => `${outcome} ${String(countOf(parts, outcome)).padStart(6)}`)
    .join('  ');
  return `${String(second).padStart(4)} s  ${counts}  p99 ${p99.toFixed(1)} ms`;
};
