import { PARTS } from './parts.js';
import { functionOf, type Callable, type Switch } from './replace.js';

const switches = new Map<string, Switch>(PARTS.map(({ id }) => [id, { isOff: false, uses: 0 }]));
const wrapped = new Set<string>();

/** The name of a replaced export. */
export function exportName(module: string, name: string): string {
  return `${module} ${name}`;
}

/** The replacement of an export for all parts that use it. Throws an `Error` when the original is not a function. */
export function wrap(module: string, name: string, original: unknown): Callable {
  let exported = functionOf(original, `the export ${name} of ${module}`);
  for (const { id, patches } of PARTS) {
    const part = switches.get(id);
    for (const patch of patches) {
      if (patch.module === module && patch.name === name && part !== undefined)
        exported = patch.replace(exported, part);
    }
  }
  wrapped.add(exportName(module, name));
  return exported;
}

/** The report of a process on an order. */
export interface Report {
  /** Number of the order. */
  readonly order: number;
  /** Exports that it has replaced. */
  readonly wrapped: readonly string[];
  /** Uses of stand-ins by part since the order before. */
  readonly uses: Readonly<Record<string, number>>;
}

/** An order: the part to leave out from now on. */
export interface LeaveOut {
  readonly order: number;
  /** Null: nothing. */
  readonly part: string | null;
}

/** Leaves a part out and returns the report. */
export function obey({ order, part }: LeaveOut): Report {
  const uses: Record<string, number> = {};
  for (const [id, one] of switches) {
    uses[id] = one.uses;
    one.uses = 0;
    one.isOff = id === part;
  }
  return { order, wrapped: [...wrapped], uses };
}
