import type { DrainResult } from '../../drain.js';
import { perSecondOf } from '../../saturation.js';
import { timeCharts } from '../load-charts.js';
import type { Section } from '../section.js';

const seconds = (ms: number | null): string => (ms === null ? 'not within 120 s' : (ms / 1_000).toFixed(1));

/** The speed of the settlement. */
export function drainSection({ waiting, startMs, settledMs, gateway }: DrainResult): Section {
  const rate = settledMs === null ? '–' : ((waiting * 1_000) / settledMs).toFixed(0);
  const head = [
    'waiting impressions',
    'worker ready after s',
    'all settled after s',
    'settled a second, start included',
  ];
  const { settledAfterMs } = gateway;
  return {
    title: 'Settlement',
    tables: [
      { head, rows: [[String(waiting), seconds(startMs), seconds(settledMs), rate]] },
      {
        head: ['impressions a second at the gateway', 'settled behind the last of them, s'],
        rows: [[perSecondOf(gateway).toFixed(0), seconds(settledAfterMs)]],
      },
    ],
    charts: timeCharts(gateway),
    remarks: [],
  };
}
