import { endListed, listedAlive } from './process-list.js';

/** File of the process list. It outlives the starter. */
const file = process.argv[2] ?? '';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Standard input is a pipe that the starter keeps open and never writes to. It ends with the starter, even when the starter
// is killed. Then only the watchdog can stop the listed processes.
process.stdin.on('end', () => void end());
process.stdin.on('error', () => void end());
process.stdin.resume();

async function end(): Promise<void> {
  if (listedAlive(file).some((entry) => entry.kind !== 'watchdog'))
    await endListed(file, ['service', 'store']);
  process.exit(0);
}
