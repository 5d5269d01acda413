import { readdirSync, readFileSync } from 'node:fs';

/** What a process and all its children have used and hold. */
export interface ProcessCost {
  /** CPU seconds of user and system since the start, children included, also those that have ended. */
  readonly cpuSeconds: number;
  /** Proportional set size in bytes: shared pages count in parts; null where the system does not tell. */
  readonly pssBytes: number | null;
}

/** Linux counts CPU in ticks of this length, whatever the kernel's own clock is. */
const TICKS_PER_SECOND = 100;
const KIB = 1_024;

/**
 * The costs of processes as of now, by name; one that has ended is left out. Linux only: elsewhere there are none. CPU is
 * read of all before the memory of any, which takes a while, so that the CPU is that of one moment.
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

/** Of what is known; null when nothing is. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** The fields of `/proc/PID/stat` behind the name, which may hold blanks and brackets; null when there is none. */
function statOf(pid: number | string): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** utime, stime, cutime and cstime are fields 14 to 17 of the man page; the first behind the name is the third. */
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
