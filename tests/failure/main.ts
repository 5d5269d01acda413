import { parseArgs } from 'node:util';
import { planFaults } from './plan.js';
import { openRig } from './rig.js';
import { figuresOf, isGood, resultLines } from './result-table.js';
import { runFailures } from './run.js';

const USAGE = 'Usage: npm run test:failure -- [--minutes N] [--seed S]';
const MINUTE_MS = 60_000;
/** Longest that one fault lasts. */
const HOLD_MS_MAX = 5_000;
const MINUTES_MAX = 24 * 60;
/** Traffic of half a minute uses up a market of scale 1. */
const SCALE_PER_MINUTE = 2;

process.exit(await main());

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { minutes, seed } = options;
  // The product leaves with us.
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const)
    process.once(event, () => process.exit(130));
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  say(`Seed ${seed}, ${minutes} minutes of faults. Starting the product …`);
  const rig = await openRig({
    seed,
    scale: Math.max(1, minutes * SCALE_PER_MINUTE),
    // Short enough that reservations come to their end during a run.
    adTtlSeconds: 45,
    adsPerSecond: 14,
    holdMsMax: 50_000,
  });
  try {
    const faultsMs = minutes * MINUTE_MS;
    const result = await runFailures(rig, {
      plan: planFaults(seed, HOLD_MS_MAX),
      faultsMs,
      faultsMax: null,
      say,
    });
    for (const line of resultLines(result)) say(line);
    return isGood(figuresOf(result.findings)) ? 0 : 1;
  } finally {
    await rig.close();
  }
}

function readOptions(): { readonly minutes: number; readonly seed: number } | null {
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
