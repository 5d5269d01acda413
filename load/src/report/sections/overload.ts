import type { OverloadResult } from '../../overload/run-overload.js';
import type { StepFigures } from '../../overload/step-figures.js';
import { P99_TIMES_MAX } from '../../overload/verdicts.js';
import { BLUE, lineChart, lineChartPicture, RED, shortNumber } from '../charts.js';
import type { Section, Table } from '../section.js';
import { mib, shortMs } from '../table.js';

const GREY = '#4a5568';

/** The product under more load than it can answer. */
export function overloadSection(result: OverloadResult): Section {
  const { saturation, steps, verdicts } = result;
  const top = steps.at(-1);
  return {
    title: 'Overload',
    tables: [
      stepsTable(steps),
      memoryTable(steps),
      {
        head: [`target at ${top?.times ?? 0} × saturation`, 'seen', 'verdict'],
        rows: verdicts.map(({ target, seen, isMet }) => [target, seen, isMet ? 'met' : 'missed']),
      },
    ],
    charts: overloadCharts(result),
    remarks: [
      `Saturation: ${saturation.toFixed(0)} answers a second of the usual mix. Every load is an open loop. Accepted calls are goodput: the promised answer, before the client left. Refused is 500 with Retry-After; left is a client that waited in vain; failed is any other end.`,
      'Recovered: the time from the fall to half of saturation until, for a whole second, 95 % of the calls were accepted with p99 below the bound. Late: how far the load generator itself was behind its plan.',
    ],
  };
}

/** Goodput and latency over offered load, as the text of an SVG file. */
export function overloadPicture(result: OverloadResult): string {
  return lineChartPicture(overloadCharts(result));
}

function overloadCharts({ steps, saturation }: OverloadResult): readonly string[] {
  const axis = {
    xName: 'offered load, × saturation',
    xTicks: [[0, '0'] as const, ...steps.map(({ times }) => [times, shortNumber(times)] as const)],
  };
  const points = (pick: (step: StepFigures) => number) =>
    steps.map((step) => [step.times, pick(step)] as const);
  const bound = P99_TIMES_MAX * (steps[0]?.accepted.p99 ?? 0);
  return [
    lineChart(
      [
        { name: 'saturation', color: GREY, points: points(() => saturation) },
        { name: 'refused', color: RED, points: points(({ refused }) => refused.perSecond) },
        { name: 'accepted', color: BLUE, points: points(({ accepted }) => accepted.perSecond) },
      ],
      { title: 'Goodput', yName: 'calls a second', ...axis },
    ),
    lineChart(
      [
        { name: 'bound', color: GREY, points: points(() => bound) },
        { name: 'p50', color: BLUE, points: points(({ accepted }) => accepted.p50) },
        { name: 'p99', color: RED, points: points(({ accepted }) => accepted.p99) },
      ],
      { title: 'Latency of accepted calls', yName: 'ms', ...axis },
    ),
  ];
}

function stepsTable(steps: readonly StepFigures[]): Table {
  return {
    head: [
      '× saturation',
      'offered a second',
      'accepted',
      'p50 ms',
      'p99',
      'fills',
      'refused',
      'p50 ms',
      'p99',
      'left',
      'failed',
      'recovered ms',
      'late ms p99',
    ],
    rows: steps.map((step) => [
      String(step.times),
      step.offered.toFixed(0),
      step.accepted.perSecond.toFixed(0),
      shortMs(step.accepted.p50),
      shortMs(step.accepted.p99),
      step.fillShare === null ? '–' : `${(step.fillShare * 100).toFixed(0)} %`,
      step.refused.perSecond.toFixed(0),
      shortMs(step.refused.p50),
      shortMs(step.refused.p99),
      step.left.toFixed(0),
      step.failed.toFixed(0),
      recoveredText(step),
      shortMs(step.lateMs),
    ]),
  };
}

function recoveredText({ falls, recoveredMs }: StepFigures): string {
  if (!falls) return '–';
  return recoveredMs === null ? 'not seen' : String(recoveredMs);
}

function memoryTable(steps: readonly StepFigures[]): Table {
  const names = Object.keys(steps[0]?.memory ?? {});
  return {
    head: ['PSS MiB, first – last (most)', ...steps.map(({ times }) => `${times} ×`)],
    rows: [
      ...names.map((name) => [name, ...steps.map(({ memory }) => memoryText(memory[name] ?? []))]),
      [
        'open files of the gateway, most',
        ...steps.map(({ descriptorsMax }) => String(descriptorsMax ?? '–')),
      ],
    ],
  };
}

function memoryText(points: StepFigures['memory'][string]): string {
  const values = points.map(([, value]) => value);
  if (values.length === 0) return '–';
  return `${mib(values[0] ?? null)} – ${mib(values.at(-1) ?? null)} (${mib(Math.max(...values))})`;
}
