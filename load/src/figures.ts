import { isExpected } from './generator/api.js';
import type { PhaseResult, Second } from './generator/messages.js';
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

/** What one operation came to. */
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

/** What one process came to. */
export interface ProcessFigures {
  readonly name: string;
  /** CPU microseconds for each answered call. */
  readonly cpuMicrosPerCall: number;
  /** Of one core, while the load ran and what it left was settled. */
  readonly cpuShare: number;
  readonly pssMiB: number | null;
  readonly pssMiBBefore: number | null;
}

/** One second of the run. */
export interface SecondFigures {
  readonly perSecond: number;
  readonly unexpected: number;
  readonly p50: number;
  readonly p99: number;
}

/** What of the latencies is the load generators' own doing, in milliseconds; it is in the latencies. */
export interface ClientFigures {
  /** From the planned time (in a closed loop: from the call) until the request was written to its connection. */
  readonly wait: Pick<Latency, 'p50' | 'p99'>;
  /** How late the event loop of the worst generator was. */
  readonly loopDelay: Pick<Latency, 'p50' | 'p99'>;
}

/** What one stretch of load came to. */
export interface LoadFigures {
  readonly seconds: number;
  readonly operations: readonly OperationFigures[];
  /** Of the product and its stores; generators and stubs stand apart. */
  readonly processes: readonly ProcessFigures[];
  readonly others: readonly ProcessFigures[];
  /** CPU microseconds of all processes of the product together, stores included, for each answered call. */
  readonly cpuMicrosPerCall: number;
  /** Calls of the plan that could not be made. */
  readonly unsent: number;
  readonly client: ClientFigures;
  /** How long settlement took to catch up behind the last call, in milliseconds; null: nothing to settle, or not in time. */
  readonly settledAfterMs: number | null;
  /** Accepted events that were not settled within two minutes. */
  readonly unsettled: number;
  /** Processes that did not live through it: what they and their successors cost is missing from the sums. */
  readonly ended: readonly string[];
  readonly timeline: readonly SecondFigures[];
}

/** Costs of processes at both ends of a stretch of time. */
export interface CostSpan {
  readonly before: Readonly<Record<string, ProcessCost>>;
  readonly after: Readonly<Record<string, ProcessCost>>;
  readonly seconds: number;
}

const MIB = 1_048_576;
const MICROS = 1_000_000;

/** What figures are made of. */
type Brought = Pick<PhaseResult, 'measuredMs' | 'counted'>;

/** The figures of all operations, and of all together as the first. */
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

/** What of the latencies all generators together caused themselves. */
export function clientFigures(
  results: readonly Pick<PhaseResult, 'clientWait' | 'loopDelayMs'>[],
): ClientFigures {
  const waits = mergeHistograms(results.map(({ clientWait }) => clientWait));
  const worst = (pick: 'p50' | 'p99'): number =>
    Math.max(...results.map(({ loopDelayMs }) => loopDelayMs[pick]));
  return {
    wait: { p50: percentileMs(waits, 50), p99: percentileMs(waits, 99) },
    loopDelay: { p50: worst('p50'), p99: worst('p99') },
  };
}

/** The larger share of the client in the latency of all calls, of those at p50 and p99, 0..1; 0 when none was answered. */
export function clientShareOf({ client, operations }: Pick<LoadFigures, 'client' | 'operations'>): number {
  const latency = operations[0]?.latency;
  if (latency === undefined || latency.p50 === 0) return 0;
  return Math.max(client.wait.p50 / latency.p50, client.wait.p99 / latency.p99);
}

/** How long the load ran: as long as its longest part. */
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
  const at = (percentile: number): number => percentileMs(histogram, percentile);
  const latency = { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: at(100) };
  const { codes, unexpected, seconds } = rest;
  const encoded = encodeHistogram(histogram);
  return { name, count, perSecond: count / seconds, latency, codes, unexpected, histogram: encoded };
}

/** What each process used between both ends, spread over so many calls. */
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

/** The seconds of all generators, laid over each other in the order in which they came. */
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
    unexpected: parts.reduce((sum, part) => sum + part.unexpected, 0),
    p50: percentileMs(histogram, 50),
    p99: percentileMs(histogram, 99),
  };
}

/** Latencies over the share of calls that took at most so long, for a chart. */
export function latencyCurve(encoded: string): readonly (readonly [percentile: number, ms: number])[] {
  const histogram = decodeHistogram(encoded);
  return [0, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 100].map((percentile) => [
    percentile,
    percentileMs(histogram, percentile),
  ]);
}
