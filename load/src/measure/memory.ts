import { costsOf } from './process-cost.js';

/** Memory of a process at a time. */
export type MemoryPoint = readonly [hours: number, mib: number];

/** Memory of processes over time, by name. */
export type MemoryByProcess = ReadonlyMap<string, readonly MemoryPoint[]>;

const MIB = 1_048_576;
const HOUR_MS = 3_600_000;

/** Samples the PSS of processes from now on. The returned function ends that and returns the samples. Linux only. */
export function watchMemory(pids: Readonly<Record<string, number>>, everyMs: number): () => MemoryByProcess {
  const samples = new Map<string, MemoryPoint[]>();
  const startedAtMs = performance.now();
  const timer = setInterval(() => {
    const hours = (performance.now() - startedAtMs) / HOUR_MS;
    for (const [name, { pssBytes }] of Object.entries(costsOf(pids))) {
      if (pssBytes === null) continue;
      const points = samples.get(name) ?? [];
      points.push([hours, pssBytes / MIB]);
      samples.set(name, points);
    }
  }, everyMs);
  return () => {
    clearInterval(timer);
    return samples;
  };
}
