import type { LoadFigures } from '../figures.js';
import { watchMemory, type MemoryPoint } from '../measure/memory.js';
import { perSecondOf } from '../saturation.js';
import { atTarget, phaseOf, putUnderLoad, type Place } from '../place.js';
import type { Run } from '../run.js';
import { slopeOf, type Slope } from './slope.js';

/** Memory under a long load. */
export interface SoakResult {
  readonly figures: LoadFigures;
  readonly memory: readonly ProcessMemory[];
}

/** The memory of one process. */
export interface ProcessMemory {
  readonly name: string;
  /** PSS in MiB by hours since the load began. */
  readonly points: readonly MemoryPoint[];
  /** Slope after the warm-up, MiB an hour; null: too few points. */
  readonly slope: Slope | null;
}

const SAMPLES = 180;
const SAMPLE_MS_MIN = 1_000;
/** Share of the time in which caches and memory pools fill. */
const WARMUP_SHARE = 0.25;
/** Seconds between two lines of progress. */
const SAID_EVERY = 10;
const SEARCH_MS_MAX = 15_000;

/** Runs half load for a long time in an open loop, and samples the memory of each process. */
export function runSoak(run: Run): Promise<SoakResult> {
  const { options, say } = run;
  return atTarget('gateway', run, async (place) => {
    const rate = options.rate ?? (await halfOfSaturation(place));
    say(`soak: ${rate.toFixed(0)} calls a second for ${(options.durationMs / 60_000).toFixed(1)} minutes …`);
    const everyMs = Math.max(SAMPLE_MS_MIN, options.durationMs / SAMPLES);
    const endWatch = watchMemory(place.product?.product.pids ?? {}, everyMs);
    try {
      let lines = 0;
      const figures = await putUnderLoad(
        place,
        { ...phaseOf('gateway', options), rate },
        {
          say: (line) => {
            lines += 1;
            if (lines % SAID_EVERY === 0) say(line);
          },
        },
      );
      return { figures, memory: [...endWatch()].map(([name, points]) => memoryOf(name, points)) };
    } finally {
      endWatch();
    }
  });
}

async function halfOfSaturation(place: Place): Promise<number> {
  place.run.say('soak: looking for saturation …');
  const usual = phaseOf('gateway', place.run.options);
  const durationMs = Math.min(usual.durationMs, SEARCH_MS_MAX);
  return (
    perSecondOf(await putUnderLoad(place, { ...usual, rate: null, durationMs }, { say: () => undefined })) / 2
  );
}

function memoryOf(name: string, points: readonly MemoryPoint[]): ProcessMemory {
  return { name, points, slope: slopeOf(points.slice(Math.floor(points.length * WARMUP_SHARE))) };
}
