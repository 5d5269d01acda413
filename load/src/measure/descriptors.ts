import { readdirSync, readFileSync } from 'node:fs';

/** Number of files and connections that a process may have open; null: not known on this system. */
export function descriptorLimitOf(pid: number): number | null {
  try {
    return parseDescriptorLimit(readFileSync(`/proc/${pid}/limits`, 'utf8'));
  } catch {
    return null;
  }
}

/** Number of files and connections that a process has open; null: not known on this system. */
export function openDescriptorsOf(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
}

/** The soft limit in the text of `/proc/PID/limits`; null: there is none. */
export function parseDescriptorLimit(text: string): number | null {
  const limit = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return limit === undefined ? null : Number(limit);
}

/** Counts the open files of a process from now on. The returned function ends that and returns the largest number. */
export function watchDescriptors(pid: number, everyMs: number): () => number | null {
  let most = openDescriptorsOf(pid);
  const timer = setInterval(() => {
    const open = openDescriptorsOf(pid);
    if (open !== null) most = Math.max(most ?? 0, open);
  }, everyMs);
  return () => {
    clearInterval(timer);
    return most;
  };
}
