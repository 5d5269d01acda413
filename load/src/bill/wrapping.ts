import { PARTS } from './parts.js';
import { functionOf, type Callable, type Switch } from './replace.js';

const switches = new Map<string, Switch>(PARTS.map(({ id }) => [id, { isOff: false, uses: 0 }]));
const wrapped = new Set<string>();

/** Names an export that is replaced. */
export function exportName(module: string, name: string): string {
  return `${module} ${name}`;
}

/** What a module exports instead of an original, for all parts that want it. Throws an `Error` when it is no function. */
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

/** What a process says when it is told what to leave out. */
export interface Report {
  /** Of the order that it obeyed. */
  readonly order: number;
  /** Exports that it has replaced. */
  readonly wrapped: readonly string[];
  /** How often something stood in for each part since the order before. */
  readonly uses: Readonly<Record<string, number>>;
}

/** What is left out from now on: one part, or none. */
export interface LeaveOut {
  readonly order: number;
  /** Null: nothing. */
  readonly part: string | null;
}

/** Leaves a part out and says what was left out before. */
export function obey({ order, part }: LeaveOut): Report {
  const uses: Record<string, number> = {};
  for (const [id, one] of switches) {
    uses[id] = one.uses;
    one.uses = 0;
    one.isOff = id === part;
  }
  return { order, wrapped: [...wrapped], uses };
}
