import type { LoadFigures } from '../figures.js';
import type { ProcessProfile } from '../profile/profiles.js';
import type { TargetResult } from '../run-target.js';
import { escapeHtml } from './charts.js';
import { clientText, isClientLarge } from './client.js';
import { cpuChart, curveChart, timeCharts } from './load-charts.js';
import { faultsOf, warningsOf } from './faults.js';
import { earlierFigures, loadsOf, type RunResult } from './run-result.js';
import type { Section } from './section.js';
import { sectionsOf } from './sections.js';
import { changeText, mib, shortMs } from './table.js';

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:1360px;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}
h1{font-size:1.5rem}h2{margin-top:2.5rem}.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(560px,1fr));gap:1rem 2rem}
svg{width:100%;height:auto}svg text{font-size:12px;fill:#4a5568}svg .title{font-weight:600;fill:#1c2430}svg .name{font-weight:600}
svg rect{fill:#2b6cb0}.grid{stroke:#e2e8f0}table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #e2e8f0}
td:first-child,th:first-child{text-align:left}details{margin:.5rem 0}code{font-size:13px}`;

/** A page without external resources. */
export function htmlPage(result: RunResult, earlier: RunResult | null): string {
  const { machine, startedAt, targets = [] } = result;
  const about = `${startedAt}, ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}, Node.js ${machine.node}, load before the run ${machine.loadBefore.join(' ')}`;
  const sections = targets.map((target) => targetSection(target, earlierFigures(earlier, target.target)));
  const loads = loadsOf(result);
  const notes = [...loads.flatMap(faultsOf), ...loads.flatMap(warningsOf)];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Placard under load</title><style>${STYLE}</style>
<h1>Placard under load</h1><p>${escapeHtml(about)}</p>${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('')}
${sectionsOf(result, result.options).map(sectionHtml).join('\n')}
${sections.join('\n')}</html>\n`;
}

function sectionHtml({ title, tables, charts, remarks }: Section): string {
  const parts = [
    ...tables.map(({ head, rows }) => table(head, rows)),
    ...remarks.map((remark) => `<p>${escapeHtml(remark)}</p>`),
  ];
  return `<h2>${escapeHtml(title)}</h2>${parts.join('')}<div class="charts">${charts.join('')}</div>`;
}

function targetSection({ target, figures, profiles }: TargetResult, before: LoadFigures | null): string {
  return `<h2>${target}</h2><div class="charts">${[...timeCharts(figures), curveChart(figures), cpuChart(figures)].join('')}</div>
${operationTable(figures, before)}<p>Calls ${clientText(figures)}${isClientLarge(figures) ? ' — <strong>large</strong>' : ''}</p>${processTable(figures)}${profiles.map(profileTable).join('')}`;
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
    mib(pssMiB),
  ]);
  return table(['process', 'CPU µs a call', 'cores', 'PSS MiB'], rows);
}

function profileTable({ process: name, file, top }: ProcessProfile): string {
  const rows = top.map((one) => [one.name, `${(one.share * 100).toFixed(1)} %`, one.place]);
  return `<details><summary>Where the time of ${escapeHtml(name)} goes</summary><p><code>${escapeHtml(file)}</code></p>${table(['function', 'self', 'where'], rows)}</details>`;
}
