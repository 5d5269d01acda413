import { parseArgs } from 'node:util';
import { planFaults } from './plan.js';
import { openRig } from './rig.js';
import { figuresOf, isGood, resultLines } from './result-table.js';
import { runFailures, type RunResult } from './run.js';

const USAGE = 'Usage: npm run test:failure -- [--minutes N] [--seed S]';
const MINUTE_MS = 60_000;
/** Longest that one fault lasts. */
const HOLD_MS_MAX = 5_000;
const MINUTES_MAX = 24 * 60;
/** Runs of at least this many minutes also stop replicas for more than a minute. */
const LONG_STOPS_FROM_MINUTES = 4;
/** Small enough that most limits are reached although crashes strand money. */
const SCALE_PER_MINUTE = 1;

/** Exit status after a signal. */
const EXIT_STOPPED = 130;

interface Options {
  readonly minutes: number;
  readonly seed: number;
}

process.exit(await main());

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const stopped = new Promise<number>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
      process.once(event, () => resolve(EXIT_STOPPED));
    }
  });
  return hurt(options, stopped);
}

/** Returns the exit status of the run, or {@link EXIT_STOPPED} after a signal. */
async function hurt({ minutes, seed }: Options, stopped: Promise<number>): Promise<number> {
  say(`Seed ${seed}, ${minutes} minutes of faults. Starting the product …`);
  const rig = await openRig({
    seed,
    scale: Math.max(1, minutes * SCALE_PER_MINUTE),
    // Short enough that leases are closed during a run.
    adTtlSeconds: 45,
    adsPerSecond: 14,
    holdMsMax: 50_000,
  });
  try {
    const hasLongStops = minutes >= LONG_STOPS_FROM_MINUTES;
    const plan = planFaults(seed, { holdMsMax: HOLD_MS_MAX, hasLongStops });
    const run = runFailures(rig, { plan, faultsMs: minutes * MINUTE_MS, say });
    return await Promise.race([run.then(tell), stopped]);
  } finally {
    await rig.close();
  }
}

function tell(result: RunResult): number {
  for (const line of resultLines(result)) say(line);
  return isGood(figuresOf(result.findings)) ? 0 : 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readOptions(): Options | null {
  try {
    const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
    const minutes = Number(values.minutes ?? '1');
    const seed = Number(values.seed ?? String(Date.now() % 1_000_000));
    const isGiven = minutes > 0 && minutes <= MINUTES_MAX && Number.isSafeInteger(seed) && seed >= 0;
    return isGiven ? { minutes, seed } : null;
  } catch {
    return null;
  }
}
