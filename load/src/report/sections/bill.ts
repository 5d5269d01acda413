import { billOf, type Bill } from '../../bill/figures.js';
import { CALLS, type Call } from '../../bill/part.js';
import { PARTS } from '../../bill/parts.js';
import type { BillResult } from '../../bill/run-bill.js';
import { median, spread } from '../../median.js';
import { barChart } from '../charts.js';
import type { Section, Table } from '../section.js';

const TITLES: Readonly<Record<Call, string>> = {
  session: 'new session',
  request: 'ad request',
  impression: 'impression',
};

/** The costs of the parts of each call. */
export function billSection({ turns, unused }: BillResult): Section {
  const bills = CALLS.map((call) => billOf(call, turns)).filter(({ price }) => price.length > 0);
  return {
    title: 'The bill',
    tables: bills.map(billTable),
    charts: bills.map(({ call, lines }) =>
      barChart(
        lines.map(({ name, saved }) => ({ name, value: Math.max(0, median(saved)) })),
        `CPU that a call of one kind needs less without a part: ${TITLES[call]} (µs)`,
      ),
    ),
    remarks: [
      'CPU of all processes, stores included. Parts hold each other and share what they wait for, so they do not add up.',
      'A call that goes well logs nothing: what the line of logging shows is chance, and the other lines are no more exact.',
      'Times: how often something stood in for the part, for each call.',
      ...PARTS.map(({ name, instead }) => `${name}: ${instead}.`),
      ...unused,
    ],
  };
}

function billTable({ call, price, lines }: Bill): Table {
  return {
    head: [TITLES[call], 'µs', 'from – to', '% of all', 'times'],
    rows: [
      ['all of it', median(price).toFixed(0), spread(price, 0), '100', ''],
      ...lines.map(({ name, saved, share, uses }) => [
        name,
        median(saved).toFixed(0),
        spread(saved, 0),
        (share * 100).toFixed(0),
        uses === null ? '' : uses.toFixed(1),
      ]),
    ],
  };
}
