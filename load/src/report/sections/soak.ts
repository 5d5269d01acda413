import type { ProcessMemory, SoakResult } from '../../soak/soak.js';
import type { Slope } from '../../soak/slope.js';
import { perSecondOf } from '../../saturation.js';
import { BLUE, lineChart, RED } from '../charts.js';
import { timeCharts } from '../load-charts.js';
import type { Section } from '../section.js';

const MINUTES = 60;
/** Bound for a clear result: an interval with zero that also has more than a MiB a minute shows nothing. */
const CLEAR_PER_HOUR_MAX = 60;

/** Memory over time. */
export function soakSection({ figures, memory }: SoakResult): Section {
  const head = ['process', 'first MiB', 'last', 'slope MiB an hour', '95 % from', 'to', 'verdict'];
  return {
    title: 'Memory under load that goes on',
    tables: [{ head, rows: memory.map(rowOf) }],
    charts: [...memory.map(memoryChart), ...timeCharts(figures)],
    remarks: [
      `${perSecondOf(figures).toFixed(0)} calls a second for ${(figures.seconds / MINUTES).toFixed(1)} minutes. The first quarter is left out of the slopes: caches and pools fill. Stores hold what the load has written: that is growth by right.`,
    ],
  };
}

function rowOf({ name, points, slope }: ProcessMemory): readonly string[] {
  const [first, last] = [points[0]?.[1] ?? 0, points.at(-1)?.[1] ?? 0];
  const ends = [first.toFixed(0), last.toFixed(0)];
  if (slope === null) return [name, ...ends, '–', '–', '–', 'too short to say'];
  return [name, ...ends, ...[slope.perHour, slope.low, slope.high].map(signed), verdictOf(slope)];
}

function verdictOf({ low, high }: Slope): string {
  if (low > 0) return 'grows';
  if (high < 0) return 'shrinks';
  return high > CLEAR_PER_HOUR_MAX ? 'not clear: take longer' : 'no growth shown';
}

function signed(value: number): string {
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(1)}`;
}

function memoryChart({ name, points, slope }: ProcessMemory): string {
  const inMinutes = points.map(([hours, value]) => [hours * MINUTES, value] as const);
  return lineChart(
    [
      {
        name: slope === null ? '' : `${signed(slope.perHour)} MiB/h`,
        color: slope !== null && slope.low > 0 ? RED : BLUE,
        points: inMinutes,
      },
    ],
    {
      title: name,
      xName: 'minutes',
      yName: 'PSS, MiB',
    },
  );
}
