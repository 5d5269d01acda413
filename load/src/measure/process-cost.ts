import { readdirSync, readFileSync } from 'node:fs';

/** CPU and memory of a process and all its children. */
export interface ProcessCost {
  /** CPU seconds of user and system since the start, including running and ended children. */
  readonly cpuSeconds: number;
  /** Proportional set size in bytes: shared pages count partly; null when the system does not provide it. */
  readonly pssBytes: number | null;
}

/** Linux counts CPU in ticks at this rate, independent of the kernel's own clock. */
const TICKS_PER_SECOND = 100;
const KIB = 1_024;

/**
 * The current costs of processes by name, without ended ones. Linux only; empty on other systems. The CPU of all processes is
 * read before their memory, which is slow, so that all CPU values are of the same moment.
 */
export function costsOf(pids: Readonly<Record<string, number>>): Readonly<Record<string, ProcessCost>> {
  const children = childrenByParent();
  const trees = Object.entries(pids).flatMap(([name, pid]) => {
    const tree = treeOf(pid, children);
    const cpuSeconds = tree.map(cpuSecondsOf);
    return cpuSeconds[0] == null ? [] : [{ name, tree, cpuSeconds: sumOf(cpuSeconds) ?? 0 }];
  });
  return Object.fromEntries(
    trees.map(({ name, tree, cpuSeconds }) => [name, { cpuSeconds, pssBytes: sumOf(tree.map(pssOf)) }]),
  );
}

/** A process, then all its children. */
function treeOf(pid: number, children: ReadonlyMap<number, readonly number[]>): readonly number[] {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => treeOf(child, children))];
}

/** The sum of known values; null when none is known. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** The fields of `/proc/PID/stat` after the name, which may contain blanks and brackets; null when there is no process. */
function statOf(pid: number | string): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** The sum of utime, stime, cutime and cstime: fields 14 to 17 of the man page. The first field after the name is field 3. */
function cpuSecondsOf(pid: number): number | null {
  const stat = statOf(pid);
  if (stat === null) return null;
  return stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

function pssOf(pid: number): number | null {
  try {
    const match = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return match === null ? null : Number(match[1]) * KIB;
  } catch {
    return null;
  }
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  let names: readonly string[];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return children;
  }
  for (const name of names) {
    const parent = Number(statOf(name)?.[1] ?? 0);
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [Number(name)]);
    else known.push(Number(name));
  }
  return children;
}
