import { ratiosOf, type CompareResult } from '../../compare/compare.js';
import { median, spread } from '../../median.js';
import { targetOf, verdictOf } from '../../compare/targets.js';
import { barChart } from '../charts.js';
import type { Section } from '../section.js';

const NAMES = {
  skeleton: 'skeleton: Express, 2 gRPC hops, 5 Redis calls',
  session: 'new session',
  request: 'ad request',
  impression: 'impression, durable and settled',
  plain: 'the plainest Express answer',
} as const;

/** The prices of product and skeleton at a number of pending calls, with verdicts. */
export function comparisonSection(comparison: CompareResult, concurrency: number): Section {
  const ratios = ratiosOf(comparison);
  const rows = ratios.map(({ step, micros, ratios: each }) => [
    NAMES[step],
    median(micros).toFixed(0),
    spread(micros, 0),
    median(each).toFixed(2),
    spread(each, 2),
    verdictOf(Number(median(each).toFixed(2)), targetOf(step, concurrency)),
  ]);
  const bars = ratios.map(({ step, micros }) => ({ name: step, value: median(micros) }));
  return {
    title: 'Product and skeleton',
    tables: [
      {
        head: [
          'CPU of all processes, stores included',
          'µs a call',
          'from – to',
          '× skeleton',
          'from – to',
          'target',
        ],
        rows,
      },
    ],
    charts: [barChart(bars, 'CPU for each call, all processes and stores, median of rounds (µs)')],
    remarks: [
      `Medians of ${comparison.rounds.length} rounds with ${concurrency} calls on their way. Targets are set for 16 and 64.`,
    ],
  };
}
