import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** The current id of a process, from the list in the product's data folder; null while it is down. */
export function pidOf(dataDir: string, name: string): number | null {
  return listed(dataDir).find((entry) => entry.name === name)?.pid ?? null;
}

/** Current process ids by name, without the stores. A restarted process has a new id. */
export function servicePids(dataDir: string): Readonly<Record<string, number>> {
  const services = listed(dataDir).filter(({ kind }) => kind === 'service');
  return Object.fromEntries(services.map(({ name, pid }) => [name, pid]));
}

interface Listed {
  readonly name: string;
  readonly kind: string;
  readonly pid: number;
}

/** Empty while the list is being written. */
function listed(dataDir: string): readonly Listed[] {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, 'processes.json'), 'utf8')) as readonly Listed[];
  } catch {
    return [];
  }
}

/** Waits until a process runs with another id than `before`; false when the time runs out. */
export async function isReborn(
  dataDir: string,
  name: string,
  before: number | null,
  withinMs: number,
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += POLL_MS) {
    const pid = pidOf(dataDir, name);
    if (pid !== null && pid !== before) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** A process and its children. Postgres does its work in children. */
export function familyOf(pid: number): readonly number[] {
  try {
    const text = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return [
      pid,
      ...text
        .split('\n')
        .map(Number)
        .filter((child) => child > 0),
    ];
  } catch {
    // The process has no children.
    return [pid];
  }
}

/** Sends a signal to those of the processes that still run. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
}
