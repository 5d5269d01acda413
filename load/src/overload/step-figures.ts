import type { LoadFigures, OutcomeFigures } from '../figures.js';
import type { Phase } from '../generator/messages.js';
import type { MemoryPoint } from '../measure/memory.js';
import { recoveredMs } from './recovery.js';

/** A time of one offered load, and the lower load after it. Rates are per second. */
export interface StepFigures {
  /** Offered load as a multiple of saturation. */
  readonly times: number;
  /** Calls that were planned. */
  readonly offered: number;
  /** Accepted calls: goodput. */
  readonly accepted: Rate;
  /** Calls that were refused at once with 500 and `Retry-After`. */
  readonly refused: Rate;
  /** Calls whose client left before an answer. */
  readonly left: number;
  /** Calls with any other end, such as 500 without `Retry-After` or a closed connection. */
  readonly failed: number;
  /** Share of ads in the accepted ad requests; null: there were none. */
  readonly fillShare: number | null;
  /** Time from the fall of the load until calls succeeded again, in milliseconds; null: not seen, or no fall. */
  readonly recoveredMs: number | null;
  /** Whether the load fell to half of saturation afterwards. */
  readonly falls: boolean;
  /** Planned calls were late in the generator by this at p99, in milliseconds. */
  readonly lateMs: number;
  /** Memory of the watched processes by name. */
  readonly memory: Readonly<Record<string, readonly MemoryPoint[]>>;
  /** Largest number of files and connections that the gateway had open; null: not known. */
  readonly descriptorsMax: number | null;
  readonly load: LoadFigures;
}

/** Calls of one outcome. */
export interface Rate {
  readonly perSecond: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** What is measured beside the load of a step. */
export type Beside = Pick<StepFigures, 'times' | 'memory' | 'descriptorsMax'>;

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/** The figures of a step, without its warm-up and the fall after it. `beside` may cover both. */
export function stepFigures(
  load: LoadFigures,
  { warmupMs, durationMs, fall }: Pick<Phase, 'warmupMs' | 'durationMs' | 'fall'>,
  beside: Beside,
): StepFigures {
  const seconds = durationMs / SECOND_MS;
  const isWithin = ([hours]: MemoryPoint): boolean =>
    hours * HOUR_MS >= warmupMs && hours * HOUR_MS < warmupMs + durationMs;
  const memory = Object.entries(beside.memory).map(([name, points]) => [name, points.filter(isWithin)]);
  const { accepted, refused, left, failed } = load.outcomes;
  const planned = accepted.count + refused.count + left.count + failed.count + load.unsent;
  return {
    ...beside,
    memory: Object.fromEntries(memory) as StepFigures['memory'],
    falls: fall !== null,
    offered: planned / seconds,
    accepted: rateOf(accepted, seconds),
    refused: rateOf(refused, seconds),
    left: left.count / seconds,
    failed: failed.count / seconds,
    fillShare: fillShareOf(load),
    recoveredMs: recoveredMs(load.afterFall),
    lateMs: load.client.late.p99,
    load,
  };
}

function rateOf({ count, latency: { p50, p99 } }: OutcomeFigures, seconds: number): Rate {
  return { perSecond: count / seconds, p50, p99 };
}

function fillShareOf({ operations }: LoadFigures): number | null {
  const codes = Object.entries(operations.find(({ name }) => name === 'request')?.codes ?? {});
  const sum = (isCounted: (code: string) => boolean): number =>
    codes.reduce((total, [code, count]) => (isCounted(code) ? total + count : total), 0);
  const fills = sum((code) => code === 'fill');
  const answers = fills + sum((code) => code.startsWith('no_fill '));
  return answers === 0 ? null : fills / answers;
}
