import type { ChangeTimes, SelectionFigures } from '../../selection/figures.js';
import { BLUE, lineChart, RED, shortNumber, type Line } from '../charts.js';
import type { Section } from '../section.js';

const HEAD = [
  'campaigns',
  'selection p50 µs',
  'p99',
  'most spent out p50 µs',
  'p99',
  'explanation p50 µs',
  'p99',
  'index built ms',
  'index heap MiB',
  'longest change ms',
];

/** Selection and index by size of the catalog. */
export function selectionSection(all: readonly SelectionFigures[]): Section {
  const line = (name: string, color: string, pick: (one: SelectionFigures) => number): Line => ({
    name,
    color,
    points: all.map((one) => [Math.log10(one.campaigns), pick(one)]),
  });
  const xTicks = all.map(({ campaigns }) => [Math.log10(campaigns), campaigns.toLocaleString('en')] as const);
  const axis = { xName: 'campaigns, logarithmic', xTicks };
  const timeChart = (title: string, pick: (one: SelectionFigures) => SelectionFigures['fresh']): string =>
    lineChart([line('p50', BLUE, (one) => pick(one).p50), line('p99', RED, (one) => pick(one).p99)], {
      title,
      yName: 'µs',
      ...axis,
    });
  return {
    title: 'Selection alone',
    tables: [{ head: HEAD, rows: all.map(rowOf) }, changesTable(all)],
    charts: [
      timeChart('Selection, money left everywhere', ({ fresh }) => fresh),
      timeChart('Selection, the dearest 95 % spent out', ({ spent }) => spent),
      lineChart([line('build', BLUE, ({ buildMs }) => buildMs)], {
        title: 'Index built from a catalog',
        yName: 'ms',
        ...axis,
      }),
      lineChart([line('heap', BLUE, ({ heapMiB }) => heapMiB)], {
        title: 'Heap of the index, beside the catalog',
        yName: 'MiB',
        ...axis,
      }),
    ],
    remarks: [
      'One selection: query, walk of the index and the first eight candidates with their creatives. One explanation: campaigns judged, losses counted and the message encoded. A change blocks the event loop for its whole duration.',
    ],
  };
}

function rowOf({
  campaigns,
  fresh,
  spent,
  explain,
  buildMs,
  heapMiB,
  changes,
}: SelectionFigures): readonly string[] {
  const longest = Math.max(...changes.map(({ max }) => max));
  return [
    campaigns.toLocaleString('en'),
    ...[fresh, spent, explain].flatMap(({ p50, p99 }) => [p50, p99]).map((micros) => micros.toFixed(1)),
    buildMs.toFixed(0),
    heapMiB.toFixed(1),
    longest.toFixed(2),
  ];
}

/** Median and longest of each kind of change. */
function changesTable(all: readonly SelectionFigures[]) {
  const names = all[0]?.changes.map(({ name }) => name) ?? [];
  const both = ({ p50, max }: ChangeTimes): string => `${shortNumber(p50)} / ${shortNumber(max)}`;
  return {
    head: ['one change, ms, p50 / longest', ...names],
    rows: all.map(({ campaigns, changes }) => [campaigns.toLocaleString('en'), ...changes.map(both)]),
  };
}
