import type { LoadFigures } from './figures.js';
import { metricsUrlOf, type LoadedProduct } from './loaded-product.js';
import { untilSettled } from './measure/settled.js';
import { atPart, closedPhase, putUnderLoad, startProduct } from './place.js';
import type { Run } from './run.js';

/** Speed of the settlement of waiting impressions, and whether settlement keeps up with the gateway. */
export interface DrainResult {
  /** Impressions that were accepted while the worker was down. */
  readonly waiting: number;
  /** Time until the worker was ready, in milliseconds. */
  readonly startMs: number;
  /** Time from the worker's start until all were settled, in milliseconds; null: more than two minutes. */
  readonly settledMs: number | null;
  /** As many impressions as the gateway accepts while the worker runs. */
  readonly gateway: LoadFigures;
}

const WORKER = 'settlement-worker';
/** Longest time for accepting the largest number of impressions. */
const ACCEPT_MS_MAX = 120_000;

/** Accepts impressions while the worker is down, starts it, and then measures whether it keeps up with the gateway. */
export async function runDrain(run: Run): Promise<DrainResult> {
  const { options, say } = run;
  const product = await startProduct('events', run);
  try {
    await product.product.stopProcess(WORKER);
    say(`drain: ${options.waiting} impressions while the worker is down …`);
    const waiting = await acceptImpressions(product, run);
    say(`drain: ${waiting} wait; starting the worker …`);
    const startedAtMs = performance.now();
    await product.product.restart(WORKER);
    const startMs = performance.now() - startedAtMs;
    const restMs = await untilSettled(metricsUrlOf(product, WORKER), waiting);
    const settledMs = restMs === null ? null : startMs + restMs;
    return { waiting, startMs, settledMs, gateway: await loadGateway(product, run) };
  } finally {
    await product.close();
  }
}

async function acceptImpressions(product: LoadedProduct, run: Run): Promise<number> {
  const { options } = run;
  const phase = {
    ...closedPhase({ impression: 1 }, options),
    durationMs: ACCEPT_MS_MAX,
    callsMax: options.waiting,
  };
  const results = await atPart('events', product, run, ({ swarm }) =>
    swarm.run(phase, { measuring: () => undefined, second: () => undefined }),
  );
  return results.reduce((sum, { accepted }) => sum + accepted, 0);
}

function loadGateway(product: LoadedProduct, run: Run): Promise<LoadFigures> {
  const { options, say } = run;
  return atPart('gateway', product, run, async (place) => {
    say('drain: the gateway gives ads …');
    await putUnderLoad(place, closedPhase({ request: 1 }, options), { say: () => undefined });
    say('drain: the gateway takes their impressions …');
    return putUnderLoad(place, { ...closedPhase({ impression: 1 }, options), endsWithoutFills: true });
  });
}
