import { perSecondOf, type ClosedLoop, type Latencies, type LatencyResult } from '../../latency.js';
import { curveChart, timeCharts } from '../load-charts.js';
import type { Section } from '../section.js';
import { shortMs } from '../table.js';

const CLOSED_HEAD = ['calls at a time', 'answers a second', 'p50 ms', 'p99', 'cores used'];

/** Latency at half of saturation, the skeleton's beside it. */
export function latencySection({ closed, saturation, product, skeleton }: LatencyResult): Section {
  const head = ['operation', 'unloaded p50 ms', 'p99', 'half load p50 ms', 'p90', 'p99', 'p99.9', 'calls'];
  return {
    title: 'Latency at half of saturation',
    tables: [
      { head: CLOSED_HEAD, rows: closed.map(closedRow) },
      { head, rows: [...latencyRows(product), ...latencyRows(skeleton, 'skeleton')] },
    ],
    charts: [...timeCharts(product.half), curveChart(product.half)],
    remarks: [
      `Saturation: ${saturation.toFixed(0)} answers a second of the usual mix. Half load: ${perSecondOf(product.half).toFixed(0)} a second in an open loop. The skeleton answers nothing but ad requests, at the same rate.`,
    ],
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

function closedRow({ concurrency, figures }: ClosedLoop): readonly string[] {
  const { p50 = 0, p99 = 0 } = figures.operations[0]?.latency ?? {};
  const cores = figures.processes.reduce((sum, { cpuShare }) => sum + cpuShare, 0);
  return [String(concurrency), perSecondOf(figures).toFixed(0), shortMs(p50), shortMs(p99), cores.toFixed(2)];
}
