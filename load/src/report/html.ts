import { median, ratiosOf, type CompareResult } from '../compare.js';
import { latencyCurve, type LoadFigures } from '../figures.js';
import type { ProcessProfile } from '../profile/profiles.js';
import type { TargetResult } from '../run-target.js';
import { barChart, escapeHtml, lineChart } from './charts.js';
import type { RunResult } from './run-result.js';
import { changeText, shortMs } from './table.js';
import { NAMES } from './text.js';

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:1360px;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}
h1{font-size:1.5rem}h2{margin-top:2.5rem}.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:1rem 2rem}
svg{width:100%;height:auto}svg text{font-size:12px;fill:#4a5568}svg .title{font-weight:600;fill:#1c2430}svg .name{font-weight:600}
svg rect{fill:#2b6cb0}.grid{stroke:#e2e8f0}table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #e2e8f0}
td:first-child,th:first-child{text-align:left}details{margin:.5rem 0}code{font-size:13px}
@media (prefers-color-scheme:dark){body{background:#151a21;color:#e2e8f0}svg text{fill:#a0aec0}svg .title{fill:#e2e8f0}.grid,td,th{stroke:#2d3748;border-color:#2d3748}}`;

const BLUE = '#2b6cb0';
const RED = '#c53030';
/** Percentiles lie on a scale on which each further nine takes the same room. */
const CURVE_TICKS = [0, 50, 90, 99, 99.9, 99.99] as const;

/** One page that holds all it needs, also without a network. */
export function htmlPage(result: RunResult, earlier: RunResult | null): string {
  const { machine, startedAt, targets, comparison } = result;
  const about = `${startedAt}, ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}, Node.js ${machine.node}, load before the run ${machine.loadBefore.join(' ')}`;
  const sections = targets.map((target) =>
    targetSection(target, earlier?.targets.find((one) => one.target === target.target)?.figures ?? null),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Placard under load</title><style>${STYLE}</style>
<h1>Placard under load</h1><p>${escapeHtml(about)}</p>
${comparison === null ? '' : comparisonSection(comparison)}
${sections.join('\n')}</html>\n`;
}

function targetSection({ target, figures, profiles }: TargetResult, before: LoadFigures | null): string {
  return `<h2>${target}</h2><div class="charts">${[...timeCharts(figures), curveChart(figures), cpuChart(figures)].join('')}</div>
${operationTable(figures, before)}${processTable(figures)}${profiles.map(profileTable).join('')}`;
}

function timeCharts({ timeline }: LoadFigures): readonly string[] {
  const points = (pick: (one: LoadFigures['timeline'][number]) => number) =>
    timeline.map((one, index) => [index + 1, pick(one)] as const);
  const seconds = { xName: 'seconds' };
  return [
    lineChart([{ name: 'answers', color: BLUE, points: points(({ perSecond }) => perSecond) }], {
      title: 'Throughput',
      yName: 'a second',
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

function curveChart({ operations }: LoadFigures): string {
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

function cpuChart({ processes }: LoadFigures): string {
  const bars = processes.map(({ name, cpuMicrosPerCall }) => ({ name, value: cpuMicrosPerCall }));
  return barChart(bars, { title: 'CPU µs for each call', xName: '', yName: '' });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>`;
}

function operationTable({ operations }: LoadFigures, before: LoadFigures | null): string {
  const rows = operations.map(({ name, count, perSecond, latency, codes }) => {
    const { p50, p90, p99, p999 } = latency;
    const earlier = before?.operations.find((one) => one.name === name);
    const change =
      before === null
        ? []
        : [changeText(earlier?.perSecond, perSecond), changeText(earlier?.latency.p99, p99)];
    const answers = Object.entries(codes).map(([code, times]) => `${code}: ${times}`);
    return [
      name,
      String(count),
      perSecond.toFixed(0),
      ...[p50, p90, p99, p999].map(shortMs),
      ...change,
      answers.join(', '),
    ];
  });
  const change = before === null ? [] : ['per s, change', 'p99, change'];
  return table(['operation', 'calls', 'per s', 'p50 ms', 'p90', 'p99', 'p99.9', ...change, 'answers'], rows);
}

function processTable({ processes, others }: LoadFigures): string {
  const rows = [...processes, ...others].map(({ name, cpuMicrosPerCall, cpuShare, pssMiB }) => [
    name,
    cpuMicrosPerCall.toFixed(1),
    cpuShare.toFixed(2),
    pssMiB === null ? '–' : pssMiB.toFixed(0),
  ]);
  return table(['process', 'CPU µs a call', 'cores', 'PSS MiB'], rows);
}

function profileTable({ process: name, file, top }: ProcessProfile): string {
  const rows = top.map((one) => [one.name, `${(one.share * 100).toFixed(1)} %`, one.place]);
  return `<details><summary>Where the time of ${escapeHtml(name)} goes</summary><p><code>${escapeHtml(file)}</code></p>${table(['function', 'self', 'where'], rows)}</details>`;
}

function comparisonSection(comparison: CompareResult): string {
  const ratios = ratiosOf(comparison);
  const bars = ratios.map(({ step, micros }) => ({ name: step, value: median(micros) }));
  const rows = ratios.map(({ step, micros, ratios: each }) => [
    NAMES[step],
    median(micros).toFixed(0),
    micros.map((value) => value.toFixed(0)).join(', '),
    median(each).toFixed(2),
    each.map((value) => value.toFixed(2)).join(', '),
  ]);
  return `<h2>Product and skeleton</h2>${barChart(bars, { title: 'CPU µs for each call, all processes and stores (median of rounds)', xName: '', yName: '' })}
${table(['', 'µs a call', 'each round', '× skeleton', 'each round'], rows)}`;
}
