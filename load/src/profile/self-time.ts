/** A profile in V8's format. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly children?: readonly number[];
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Time of a function itself, without the functions that it calls. */
export interface FunctionTime {
  readonly name: string;
  /** Package or file, and line; for native code those of its caller; empty for V8 itself. */
  readonly place: string;
  /** Share of the time in which the process was not idle, 0..1. */
  readonly share: number;
  readonly milliseconds: number;
}

/** Entries that are not the program's own time: waiting, and starting and ending the profile. */
const IDLE: ReadonlySet<string> = new Set(['(idle)', '(root)', 'post node:inspector']);

/** The functions with the most self time, without idle time. `(program)` is native code. */
export function topFunctions(
  { nodes, samples, timeDeltas }: CpuProfile,
  count: number,
): readonly FunctionTime[] {
  const microsById = new Map<number, number>();
  samples.forEach((id, index) => microsById.set(id, (microsById.get(id) ?? 0) + (timeDeltas[index] ?? 0)));
  const callers = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, { name: string; place: string; micros: number }>();
  let busy = 0;
  for (const { id, callFrame } of nodes) {
    const micros = microsById.get(id) ?? 0;
    const { functionName, url } = callFrame;
    if (micros === 0 || IDLE.has(functionName) || IDLE.has(`${functionName} ${url}`)) continue;
    busy += micros;
    const name = functionName === '' ? '(anonymous)' : functionName;
    const place = url === '' ? callerOf(id, { callers, frames }) : placeOf(url, callFrame.lineNumber);
    const known = byFunction.get(`${name} ${place}`);
    if (known === undefined) byFunction.set(`${name} ${place}`, { name, place, micros });
    else known.micros += micros;
  }
  return [...byFunction.values()]
    .sort((a, b) => b.micros - a.micros)
    .slice(0, count)
    .map(({ name, place, micros }) => ({ name, place, share: micros / busy, milliseconds: micros / 1_000 }));
}

function placeOf(url: string, line: number): string {
  if (url === '') return '';
  const short = url
    .replace(/^.*\/node_modules\//, '')
    .replace(/^file:\/\/.*?\/((?:[a-z]+-)?(?:service|gateway|kit|protos)[^/]*\/)/, '$1');
  return `${short}:${line + 1}`;
}

type Frame = CpuProfile['nodes'][number]['callFrame'];

/** The caller of native code: the next function above it with a place. */
function callerOf(
  id: number,
  {
    callers,
    frames,
  }: { readonly callers: ReadonlyMap<number, number>; readonly frames: ReadonlyMap<number, Frame> },
): string {
  for (let at = callers.get(id); at !== undefined; at = callers.get(at)) {
    const frame = frames.get(at);
    if (frame !== undefined && frame.url !== '')
      return `called by ${frame.functionName} ${placeOf(frame.url, frame.lineNumber)}`;
  }
  return '';
}
