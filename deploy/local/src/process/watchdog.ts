import { endListed, listedAlive } from './process-list.js';

/** The list of what was started, which outlives whoever started it. */
const file = process.argv[2] ?? '';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Standard input is a pipe that the starter holds open and never writes to. It ends with the starter, also when that
// one is killed; then whatever is still listed has nobody left to stop it.
process.stdin.on('end', () => void end());
process.stdin.on('error', () => void end());
process.stdin.resume();

async function end(): Promise<void> {
  if (listedAlive(file).some((entry) => entry.kind !== 'watchdog'))
    await endListed(file, ['service', 'store']);
  process.exit(0);
}
