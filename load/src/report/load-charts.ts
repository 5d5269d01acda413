import { latencyCurve, type LoadFigures } from '../figures.js';
import { barChart, BLUE, lineChart, RED } from './charts.js';

/** Ticks of percentiles. Each further nine takes the same space. */
const CURVE_TICKS = [0, 50, 90, 99, 99.9, 99.99] as const;

/** Throughput and latency by second. */
export function timeCharts({ timeline }: LoadFigures): readonly string[] {
  const points = (pick: (one: LoadFigures['timeline'][number]) => number) =>
    timeline.map((one, index) => [index + 1, pick(one)] as const);
  const seconds = { xName: 'seconds' };
  return [
    lineChart([{ name: 'answers', color: BLUE, points: points(({ perSecond }) => perSecond) }], {
      title: 'Throughput',
      yName: 'answers a second',
      ...seconds,
    }),
    lineChart(
      [
        { name: 'p50', color: BLUE, points: points(({ p50 }) => p50) },
        { name: 'p99', color: RED, points: points(({ p99 }) => p99) },
      ],
      { title: 'Latency', yName: 'ms', ...seconds },
    ),
  ];
}

/** Latency by percentile. */
export function curveChart({ operations }: LoadFigures): string {
  const nines = (percentile: number): number => -Math.log10(1 - Math.min(percentile, 99.995) / 100);
  const all = operations[0];
  const points =
    all === undefined ? [] : latencyCurve(all.histogram).map(([at, ms]) => [nines(at), ms] as const);
  return lineChart([{ name: 'all calls', color: BLUE, points }], {
    title: 'Latency by percentile',
    xName: 'percentile',
    yName: 'ms',
    xTicks: CURVE_TICKS.map((at) => [nines(at), String(at)] as const),
  });
}

/** CPU of a call by process. */
export function cpuChart({ processes }: LoadFigures): string {
  const bars = processes.map(({ name, cpuMicrosPerCall }) => ({ name, value: cpuMicrosPerCall }));
  return barChart(bars, 'CPU for each call (µs)');
}
