import { services } from '@placard/local';
import { readFileSync } from 'node:fs';

/** A metric in docs/metrics.md. */
export interface ListedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  /** Whether all replicas show the same value. */
  readonly isShared: boolean;
  /** Names of processes. */
  readonly processes: readonly string[];
}

/** A metric of a process. */
export interface ShownMetric {
  readonly name: string;
  readonly type: string;
  /** Names of the labels of its samples. */
  readonly labels: readonly string[];
}

const SHARED = /, shared$/;
const NAMES_OF_ALL = 'all';
/** Every process, by the name of its metrics address under `npm start`. */
export const PROCESSES = services.map(({ name }) => name);

const DOCUMENT = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');

/** The metrics of Node.js that docs/metrics.md names. */
export function namedNodeMetrics(): ReadonlySet<string> {
  return new Set([...DOCUMENT.matchAll(/`((?:nodejs|process)_[a-z0-9_]+)`/g)].map(([, name = '']) => name));
}

/** The metrics of docs/metrics.md: every row of a table whose first cell is a name. */
export function listedMetrics(): readonly ListedMetric[] {
  return DOCUMENT.split('\n').flatMap((line) => {
    const [, name = '', type = '', labels = '', processes = ''] = line.split('|').map((cell) => cell.trim());
    if (!/^`[a-z_]+`$/.test(name)) return [];
    return [
      {
        name: unquoted(name),
        type: type.replace(SHARED, ''),
        isShared: SHARED.test(type),
        labels: labels === '–' ? [] : labels.split(', ').map(unquoted),
        processes: processes === NAMES_OF_ALL ? PROCESSES : processes.split(', '),
      },
    ];
  });
}

function unquoted(text: string): string {
  return text.replaceAll('`', '');
}

/** The metrics in the text of a `/metrics`. */
export function shownMetrics(text: string): readonly ShownMetric[] {
  const types = new Map<string, string>();
  const labels = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, typed, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) types.set(typed, type);
    const [, sample, inner = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (sample === undefined) continue;
    const base = sample.replace(/_(bucket|sum|count)$/, '');
    const name = types.has(sample) ? sample : base;
    const found = labels.get(name) ?? new Set<string>();
    for (const [, label = ''] of inner.matchAll(/([a-z_]+)="/g)) if (label !== 'le') found.add(label);
    labels.set(name, found);
  }
  return [...types].map(([name, type]) => ({ name, type, labels: [...(labels.get(name) ?? [])].sort() }));
}
