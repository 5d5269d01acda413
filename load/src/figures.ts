import { isExpected, OUTCOMES, type Outcome } from './generator/api.js';
import { sumSlots, type Slot } from './generator/slots.js';
import type { PhaseResult, Second } from './generator/messages.js';
import type { Histogram } from 'hdr-histogram-js';
import { decodeHistogram, encodeHistogram, mergeHistograms, percentileMs } from './histogram.js';
import type { ProcessCost } from './measure/process-cost.js';
import { OPERATIONS, type Operation } from './operations.js';

/** Percentiles in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Figures of one operation. */
export interface OperationFigures {
  readonly name: Operation | 'all';
  readonly count: number;
  readonly perSecond: number;
  readonly latency: Latency;
  /** Answers by code. */
  readonly codes: Readonly<Record<string, number>>;
  /** Answers that well-behaved traffic must not get. */
  readonly unexpected: number;
  /** Encoded, for later comparisons. */
  readonly histogram: string;
}

/** Figures of one process. */
export interface ProcessFigures {
  readonly name: string;
  /** CPU microseconds for each answered call. */
  readonly cpuMicrosPerCall: number;
  /** Share of one core, during the load and the settlement after it. */
  readonly cpuShare: number;
  readonly pssMiB: number | null;
  readonly pssMiBBefore: number | null;
}

/** The calls with one outcome. */
export interface OutcomeFigures {
  readonly count: number;
  readonly latency: Latency;
}

/** One second of the run. */
export interface SecondFigures {
  readonly perSecond: number;
  readonly unexpected: number;
  readonly p50: number;
  readonly p99: number;
}

/** Part of the latencies that the load generators cause, in milliseconds. The latencies include it. */
export interface ClientFigures {
  /** Time from the plan (in a closed loop: from the call) until the request was written to its connection. */
  readonly wait: Pick<Latency, 'p50' | 'p99'>;
  /** Delay of planned calls in the generator itself, before anything of the target; 0 for a closed loop. */
  readonly late: Pick<Latency, 'p50' | 'p99'>;
  /** Delay of the event loop of the worst generator. */
  readonly loopDelay: Pick<Latency, 'p50' | 'p99'>;
}

/** Figures of one stretch of load. */
export interface LoadFigures {
  readonly seconds: number;
  readonly operations: readonly OperationFigures[];
  readonly outcomes: Readonly<Record<Outcome, OutcomeFigures>>;
  /** The calls after the fall of the load, in sum over the generators. */
  readonly afterFall: readonly Slot[];
  /** Processes of the product and its stores, without generators and stubs. */
  readonly processes: readonly ProcessFigures[];
  readonly others: readonly ProcessFigures[];
  /** CPU microseconds of all processes of the product and its stores, for each answered call. */
  readonly cpuMicrosPerCall: number;
  /** Planned calls that could not be made. */
  readonly unsent: number;
  readonly client: ClientFigures;
  /** Time of the settlement after the last call, in milliseconds; null: nothing to settle, or not in time. */
  readonly settledAfterMs: number | null;
  /** Accepted events that were not settled within two minutes. */
  readonly unsettled: number;
  /** Processes that ended during it. Their CPU and that of their successors is missing in the sums. */
  readonly ended: readonly string[];
  readonly timeline: readonly SecondFigures[];
}

/** Costs of processes at the start and the end of a stretch of time. */
export interface CostSpan {
  readonly before: Readonly<Record<string, ProcessCost>>;
  readonly after: Readonly<Record<string, ProcessCost>>;
  readonly seconds: number;
}

const MIB = 1_048_576;
const MICROS = 1_000_000;

/** Input of figures. */
type Brought = Pick<PhaseResult, 'measuredMs' | 'counted'>;

/** Figures of all operations in sum, followed by those of each operation. */
export function operationFigures(results: readonly Brought[]): readonly OperationFigures[] {
  const seconds = secondsOf(results);
  const counted = results.flatMap((result) => result.counted);
  const each = OPERATIONS.flatMap((name) => {
    const own = counted.filter(({ operation }) => operation === name);
    if (own.length === 0) return [];
    const codes: Record<string, number> = {};
    for (const [code, count] of own.flatMap((one) => Object.entries(one.codes))) {
      codes[code] = (codes[code] ?? 0) + count;
    }
    const unexpected = Object.entries(codes)
      .filter(([code]) => !isExpected(name, code))
      .reduce((sum, [, count]) => sum + count, 0);
    return [
      figuresOf(
        name,
        own.map(({ histogram }) => histogram),
        { codes, unexpected, seconds },
      ),
    ];
  });
  const unexpected = each.reduce((sum, one) => sum + one.unexpected, 0);
  const all = figuresOf(
    'all',
    each.map(({ histogram }) => histogram),
    { codes: {}, unexpected, seconds },
  );
  return [all, ...each];
}

/** Part of the latencies that all generators cause. */
export function clientFigures(
  results: readonly Pick<PhaseResult, 'clientWait' | 'lateness' | 'loopDelayMs'>[],
): ClientFigures {
  const bothOf = (texts: readonly string[]): ClientFigures['wait'] => {
    const histogram = mergeHistograms(texts);
    return { p50: percentileMs(histogram, 50), p99: percentileMs(histogram, 99) };
  };
  const worst = (pick: 'p50' | 'p99'): number =>
    Math.max(...results.map(({ loopDelayMs }) => loopDelayMs[pick]));
  return {
    wait: bothOf(results.map(({ clientWait }) => clientWait)),
    late: bothOf(results.map(({ lateness }) => lateness)),
    loopDelay: { p50: worst('p50'), p99: worst('p99') },
  };
}

/** The larger of the client's shares in the latencies p50 and p99 of all calls, 0..1; 0 when none was answered. */
export function clientShareOf({ client, operations }: Pick<LoadFigures, 'client' | 'operations'>): number {
  const latency = operations[0]?.latency;
  if (latency === undefined || latency.p50 === 0) return 0;
  return Math.max(client.wait.p50 / latency.p50, client.wait.p99 / latency.p99);
}

/** Duration of the load, which is that of its longest part, in seconds. */
export function secondsOf(results: readonly Pick<PhaseResult, 'measuredMs'>[]): number {
  return Math.max(...results.map(({ measuredMs }) => measuredMs)) / 1_000;
}

function figuresOf(
  name: OperationFigures['name'],
  histograms: readonly string[],
  rest: {
    readonly codes: Readonly<Record<string, number>>;
    readonly unexpected: number;
    readonly seconds: number;
  },
): OperationFigures {
  const histogram = mergeHistograms(histograms);
  const count = histogram.totalCount;
  const latency = latencyOf(histogram);
  const { codes, unexpected, seconds } = rest;
  const encoded = encodeHistogram(histogram);
  return { name, count, perSecond: count / seconds, latency, codes, unexpected, histogram: encoded };
}

function latencyOf(histogram: Histogram): Latency {
  const at = (percentile: number): number => percentileMs(histogram, percentile);
  return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: at(100) };
}

/** The calls of all generators by outcome. */
export function outcomeFigures(
  results: readonly Pick<PhaseResult, 'outcomes'>[],
): Readonly<Record<Outcome, OutcomeFigures>> {
  const of = (outcome: Outcome): OutcomeFigures => {
    const histogram = mergeHistograms(results.map(({ outcomes }) => outcomes[outcome]));
    return { count: histogram.totalCount, latency: latencyOf(histogram) };
  };
  return { accepted: of('accepted'), refused: of('refused'), left: of('left'), failed: of('failed') };
}

/** The calls after the fall of the load, of all generators in sum. */
export function slotsOf(results: readonly Pick<PhaseResult, 'afterFall'>[]): readonly Slot[] {
  return sumSlots(results.map(({ afterFall }) => afterFall));
}

/** Usage of each process between start and end, divided by the number of calls. */
export function processFigures(
  { before, after, seconds }: CostSpan,
  calls: number,
): readonly ProcessFigures[] {
  return Object.entries(after).flatMap(([name, { cpuSeconds, pssBytes }]) => {
    const earlier = before[name];
    if (earlier === undefined) return [];
    const used = cpuSeconds - earlier.cpuSeconds;
    const mib = (bytes: number | null): number | null => (bytes === null ? null : bytes / MIB);
    return [
      {
        name,
        cpuMicrosPerCall: (used * MICROS) / Math.max(1, calls),
        cpuShare: used / seconds,
        pssMiB: mib(pssBytes),
        pssMiBBefore: mib(earlier.pssBytes),
      },
    ];
  });
}

/** The seconds of all generators, merged in their order. */
export function timelineOf(seconds: readonly Second[], generators: number): readonly SecondFigures[] {
  const rows = Math.floor(seconds.length / generators);
  return Array.from({ length: rows }, (_, row) =>
    secondFigures(seconds.slice(row * generators, (row + 1) * generators)),
  );
}

/** One second of all generators. */
export function secondFigures(parts: readonly Second[]): SecondFigures {
  const histogram = mergeHistograms(parts.map((part) => part.histogram));
  return {
    perSecond: histogram.totalCount,
    unexpected: OUTCOMES.filter((outcome) => outcome !== 'accepted').reduce(
      (sum, outcome) => sum + countOf(parts, outcome),
      0,
    ),
    p50: percentileMs(histogram, 50),
    p99: percentileMs(histogram, 99),
  };
}

/** Number of calls of a second with an outcome. */
export function countOf(parts: readonly Second[], outcome: Outcome): number {
  return parts.reduce((sum, { outcomes }) => sum + outcomes[outcome], 0);
}

/** Latencies by percentile, for a chart. */
export function latencyCurve(encoded: string): readonly (readonly [percentile: number, ms: number])[] {
  const histogram = decodeHistogram(encoded);
  return [0, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 100].map((percentile) => [
    percentile,
    percentileMs(histogram, percentile),
  ]);
}
