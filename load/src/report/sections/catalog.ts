import type { CatalogResult, Stretch } from '../../catalog.js';
import { timeCharts } from '../load-charts.js';
import type { Section } from '../section.js';
import { mib, shortMs } from '../table.js';

/** serving-service with a large catalog. */
export function catalogSection({ campaigns, startMs, pssMiB, still, changing }: CatalogResult): Section {
  const ready = [(startMs / 1_000).toFixed(1), mib(pssMiB), mib(pssUnderLoad(changing))];
  const head = [
    '',
    'answers a second',
    'p50 ms',
    'p99',
    'changes',
    'one in the index, ms',
    'longest stall ms',
  ];
  return {
    title: `serving-service with ${campaigns.toLocaleString('en')} campaigns`,
    tables: [
      { head: ['all in the index after s', 'PSS MiB at rest', 'under load'], rows: [ready] },
      { head, rows: [rowOf('no changes', still), rowOf('a change each second', changing)] },
    ],
    charts: timeCharts(changing.figures),
    remarks: [
      'A stall is the longest time in which the event loop stood still; that is also caused by others on the machine.',
    ],
  };
}

function rowOf(name: string, { figures, changes, changeMs, stallMs }: Stretch): readonly string[] {
  const { perSecond = 0, latency } = figures.operations[0] ?? {};
  return [
    name,
    perSecond.toFixed(0),
    shortMs(latency?.p50 ?? 0),
    shortMs(latency?.p99 ?? 0),
    String(changes),
    changeMs === null ? '–' : shortMs(changeMs),
    stallMs.toFixed(1),
  ];
}

function pssUnderLoad({ figures }: Stretch): number | null {
  return figures.processes.find(({ name }) => name === 'serving-service')?.pssMiB ?? null;
}
