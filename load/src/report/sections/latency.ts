import type { LoadFigures } from '../../figures.js';
import type { Latencies, LatencyResult } from '../../latency.js';
import { perSecondOf } from '../../saturation.js';
import type { CallSteps } from '../../compare/steps.js';
import { LATENCY_TARGET, verdictOf } from '../../compare/targets.js';
import { isClientLarge } from '../client.js';
import { curveChart, timeCharts } from '../load-charts.js';
import type { Section, Table } from '../section.js';
import { shortMs } from '../table.js';

/** A stretch of load with its name in the tables. */
type Named = readonly [name: string, figures: LoadFigures];

const ONE = 'one at a time';
const HALF = 'half load';

/** Latency at half of saturation, also of the skeleton, and the time and CPU of a call by step and process. */
export function latencySection({ closed, saturation, product, skeleton }: LatencyResult): Section {
  const ofProduct: readonly Named[] = [
    [ONE, product.unloaded],
    ...closed.map(({ concurrency, figures }): Named => [`${concurrency} at a time`, figures]),
    [HALF, product.half],
  ];
  return {
    title: 'Latency at half of saturation',
    tables: [
      loadsTable([
        ...ofProduct,
        [`skeleton, ${ONE}`, skeleton.unloaded],
        [`skeleton, ${HALF}`, skeleton.half],
      ]),
      latencyTable(product, skeleton),
      againstTable(product, skeleton),
      ...product.unloaded.calls.map((alone) => stepsTable(alone, product.half.calls)),
      cpuTable(ofProduct),
    ],
    charts: [...timeCharts(product.half), curveChart(product.half)],
    remarks: [
      `Saturation: ${saturation.toFixed(0)} answers a second of the usual mix. Half load: ${perSecondOf(product.half).toFixed(0)} a second in an open loop. The skeleton answers nothing but ad requests, at the same rate.`,
      'Client: how long a call waited in the load generator until it was written to its connection, and how late its event loop was; both are in the latencies.',
      'Where a call waits: means, from the histograms of the processes; a step is the time that one process measured minus the time that the next one measured, so the steps add up. Redis and Postgres have no step of their own: their time is part of the step of the caller. At half load the latency of the phone starts at the planned time, and the way to a service includes the wait for a shared message.',
      "In serving-service the session's caps are read beside the call to fraud-service: only what they take longer is its own. Events are judged and stored in groups: each waits for the whole of its group, and for the one before it. An impression that is sent again is counted too.",
    ],
  };
}

function loadsTable(loads: readonly Named[]): Table {
  return {
    head: [
      'calls on their way',
      'answers a second',
      'p50 ms',
      'p99',
      'client p50',
      'p99',
      'its loop p50',
      'p99',
      'CPU µs a call',
      'cores used',
    ],
    rows: loads.map(([name, figures]) => {
      const { p50 = 0, p99 = 0 } = figures.operations[0]?.latency ?? {};
      const { wait, loopDelay } = figures.client;
      const cores = figures.processes.reduce((sum, { cpuShare }) => sum + cpuShare, 0);
      return [
        isClientLarge(figures) ? `${name}, LARGE part of the client` : name,
        perSecondOf(figures).toFixed(0),
        ...[p50, p99, wait.p50, wait.p99, loopDelay.p50, loopDelay.p99].map(shortMs),
        figures.cpuMicrosPerCall.toFixed(0),
        cores.toFixed(2),
      ];
    }),
  };
}

function latencyTable(product: Latencies, skeleton: Latencies): Table {
  return {
    head: ['operation', 'unloaded p50 ms', 'p99', 'half load p50 ms', 'p90', 'p99', 'p99.9', 'calls'],
    rows: [...latencyRows(product), ...latencyRows(skeleton, 'skeleton')],
  };
}

/** The two latencies with a target, as multiples of the skeleton's at the same rate. */
function againstTable(product: Latencies, skeleton: Latencies): Table {
  const rows = (['request', 'impression'] as const).flatMap((name) =>
    [
      { what: 'p50, one at a time', at: 'unloaded', of: 'p50' } as const,
      { what: 'p99, half load', at: 'half', of: 'p99' } as const,
    ].flatMap(({ what, at, of }) => {
      const seen = product[at].operations.find((one) => one.name === name)?.latency[of];
      const bare = skeleton[at].operations[0]?.latency[of];
      if (seen === undefined || bare === undefined || bare === 0) return [];
      const times = Number((seen / bare).toFixed(2));
      const mark = [product[at], skeleton[at]].some(isClientLarge) ? ', LARGE part of the client' : '';
      const verdict = `${verdictOf(times, LATENCY_TARGET)}${mark}`;
      return [[`${name}: ${what}`, shortMs(seen), shortMs(bare), times.toFixed(2), verdict]];
    }),
  );
  return {
    head: ['against the skeleton at the same rate', 'ms', 'skeleton ms', '× skeleton', 'target'],
    rows,
  };
}

function latencyRows({ half, unloaded }: Latencies, only?: string): readonly (readonly string[])[] {
  const operations = only === undefined ? half.operations : half.operations.slice(0, 1);
  return operations.map(({ name, count, latency }) => {
    const alone = unloaded.operations.find((one) => one.name === name)?.latency;
    const { p50, p90, p99, p999 } = latency;
    return [
      only ?? name,
      ...[alone?.p50, alone?.p99].map((ms) => (ms === undefined ? '–' : shortMs(ms))),
      ...[p50, p90, p99, p999].map(shortMs),
      String(count),
    ];
  });
}

/** The steps of a call without load and under load. */
function stepsTable(alone: CallSteps, atHalf: readonly CallSteps[]): Table {
  const half = atHalf.find(({ call }) => call === alone.call);
  const cells = (one: number, other: number | undefined): readonly string[] => [
    one.toFixed(2),
    other?.toFixed(2) ?? '–',
  ];
  return {
    head: [`where an ${alone.call} waits, mean ms`, ONE, HALF],
    rows: [
      ...alone.steps.map(({ name, ms }, at) => [name, ...cells(ms, half?.steps[at]?.ms)]),
      ['as the phone saw it', ...cells(alone.ms, half?.ms)],
    ],
  };
}

/** CPU of a call by process and number of pending calls. */
function cpuTable(loads: readonly Named[]): Table {
  const names = loads[0]?.[1].processes.map(({ name }) => name) ?? [];
  const costOf = (process: string, { processes }: LoadFigures): string =>
    processes.find(({ name }) => name === process)?.cpuMicrosPerCall.toFixed(0) ?? '–';
  return {
    head: ['CPU µs a call', ...loads.map(([name]) => name)],
    rows: [
      ...names.map((process) => [process, ...loads.map(([, figures]) => costOf(process, figures))]),
      ['all', ...loads.map(([, figures]) => figures.cpuMicrosPerCall.toFixed(0))],
    ],
  };
}
