import { decodeHistogram, percentileMs } from '../../histogram.js';
import type { LeaseFigures } from '../../leases/figures.js';
import type { Section, Table } from '../section.js';
import { shortMs } from '../table.js';

const SECOND_MS = 1_000;
const MIB = 1_048_576;
const MINUTE_S = 60;

/** The cost of the exchange of leases. */
export function leasesSection(figures: LeaseFigures): Section {
  const { campaigns, replicas, replica, loadAfter } = figures;
  const verdicts = Object.entries(replica.verdicts).map(([verdict, count]) => `${verdict} ${count}`);
  return {
    title: `Lease exchange: ${campaigns} campaigns, ${replicas} replicas`,
    tables: [rates(figures), times(figures), costs(figures), growth(figures)],
    charts: [],
    remarks: [
      `Answers to wants: ${verdicts.join(', ')}; ${replica.failures} turns failed.`,
      `Load of the machine at the end: ${loadAfter}.`,
    ],
  };
}

function rates({ replica, before, after, measuredMs }: LeaseFigures): Table {
  const perSecond = (count: number): string => ((count * SECOND_MS) / measuredMs).toFixed(0);
  return {
    head: [
      'a second',
      'requests',
      'fills',
      'exchanges',
      'wants',
      'reports',
      'peeks',
      'rows written',
      'leases',
      'commits',
    ],
    rows: [
      [
        '',
        ...[
          replica.requests,
          replica.fills,
          replica.exchanges,
          replica.wants,
          replica.reports,
          replica.peeks,
        ],
        after.rowsWritten - before.rowsWritten,
        after.leasesMade - before.leasesMade,
        after.transactions - before.transactions,
      ].map((cell) => (cell === '' ? cell : perSecond(Number(cell)))),
    ],
  };
}

function times({ replica }: LeaseFigures): Table {
  const row = (name: string, text: string): string[] => {
    const histogram = decodeHistogram(text);
    return [name, ...[50, 90, 99, 99.9].map((percentile) => shortMs(percentileMs(histogram, percentile)))];
  };
  return {
    head: ['ms', 'p50', 'p90', 'p99', 'p99.9'],
    rows: [row('exchange', replica.exchangeTimes), row('wait of a request', replica.waitTimes)],
  };
}

function costs({ cores }: LeaseFigures): Table {
  return {
    head: ['process', 'cores'],
    rows: Object.entries(cores).map(([name, used]) => [name, used.toFixed(2)]),
  };
}

function growth({ before, after, measuredMs }: LeaseFigures): Table {
  const perMinute = (bytes: number): string => ((bytes / MIB / measuredMs) * SECOND_MS * MINUTE_S).toFixed(0);
  return {
    head: ['', 'open leases', 'tables MiB', 'tables MiB a minute', 'WAL MiB a minute'],
    rows: [
      [
        'at the end',
        String(after.openLeases),
        (after.tableBytes / MIB).toFixed(0),
        perMinute(after.tableBytes - before.tableBytes),
        perMinute(after.walBytes - before.walBytes),
      ],
    ],
  };
}
