import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { topFunctions, type CpuProfile, type FunctionTime } from './self-time.js';

/** The profile of one process. */
export interface ProcessProfile {
  readonly process: string;
  readonly file: string;
  readonly top: readonly FunctionTime[];
}

/** Number of listed functions for each process. */
export const FUNCTIONS_SHOWN = 25;
const WRITTEN_MS_MAX = 15_000;
const POLL_MS = 100;
const STORES: ReadonlySet<string> = new Set(['postgres', 'redis']);

/** Environment in which the product's processes can be profiled. */
export function profilingEnvironment(dir: string): Readonly<Record<string, string>> {
  // The built file, because the product's processes run without a loader for TypeScript.
  const hook = new URL('../../dist/profile/hook.js', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${hook}`, PLACARD_PROFILE_DIR: dir };
}

/** Begins the profiles of all processes, or ends them. */
export function toggleProfiles(pids: Readonly<Record<string, number>>): void {
  for (const [name, pid] of Object.entries(pids)) if (!STORES.has(name)) process.kill(pid, 'SIGUSR2');
}

/** Waits until `count` profiles are written and reads them. */
export async function readProfiles(dir: string, count: number): Promise<readonly ProcessProfile[]> {
  for (let waitedMs = 0; waitedMs < WRITTEN_MS_MAX; waitedMs += POLL_MS) {
    if (readdirSync(dir).length >= count) break;
    await sleep(POLL_MS);
  }
  return readdirSync(dir)
    .sort()
    .flatMap((name) => {
      const file = path.join(dir, name);
      const profile = readProfile(file);
      if (profile === null) return [];
      return [
        { process: name.replace('.cpuprofile', ''), file, top: topFunctions(profile, FUNCTIONS_SHOWN) },
      ];
    });
}

/** Reads a profile; null while it is not completely written. */
function readProfile(file: string): CpuProfile | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  } catch {
    return null;
  }
}

/** Number of processes that write a profile. */
export function profiledCount(pids: Readonly<Record<string, number>>): number {
  return Object.keys(pids).filter((name) => !STORES.has(name)).length;
}
