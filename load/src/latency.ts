import type { LoadFigures } from './figures.js';
import { atTarget, phaseOf, putUnderLoad } from './place.js';
import type { Run } from './run.js';

/** Latency without load, and at half of what the product can carry. */
export interface LatencyResult {
  /** One call at a time. */
  readonly unloaded: LoadFigures;
  /** Closed loops, each with more calls on their way. */
  readonly closed: readonly ClosedLoop[];
  /** Answers a second of the best of them. */
  readonly saturation: number;
  /** An open loop at half of that. */
  readonly half: LoadFigures;
}

/** A closed loop with so many calls on their way. */
export interface ClosedLoop {
  readonly concurrency: number;
  readonly figures: LoadFigures;
}

/** Calls on their way in the search for saturation; more only wait longer. */
const LANES = [16, 32, 64] as const;

/** Finds out what the gateway can carry and then what a call takes at half of it. */
export function runLatency(run: Run): Promise<LatencyResult> {
  const { options, say } = run;
  return atTarget('gateway', run, async (place) => {
    const usual = phaseOf('gateway', options);
    const closedLoop = (concurrency: number): Promise<LoadFigures> => {
      say(`latency: ${concurrency} at a time …`);
      return putUnderLoad(place, { ...usual, concurrency, rate: null });
    };
    const unloaded = await closedLoop(1);
    const closed: ClosedLoop[] = [];
    for (const concurrency of LANES) closed.push({ concurrency, figures: await closedLoop(concurrency) });
    const saturation = Math.max(...closed.map(({ figures }) => perSecondOf(figures)));
    say(`latency: ${(saturation / 2).toFixed(0)} a second, half of saturation …`);
    const half = await putUnderLoad(place, { ...usual, rate: saturation / 2 });
    return { unloaded, closed, saturation, half };
  });
}

/** Answers a second, of whatever kind. */
export function perSecondOf({ operations }: LoadFigures): number {
  return operations[0]?.perSecond ?? 0;
}
