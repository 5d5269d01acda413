import type { LoadFigures } from '../figures.js';
import type { ProcessProfile } from '../profile/profiles.js';
import type { TargetResult } from '../run-target.js';
import { clientText, isClientLarge } from './client.js';
import type { Section } from './section.js';
import { changeText, mib, shortMs, textTable } from './table.js';

/** The figures of a target as lines; `before` is the same target of an earlier run. */
export function targetLines(
  { target, figures, profiles }: TargetResult,
  before: LoadFigures | null,
): readonly string[] {
  return [
    '',
    `${target}: ${figures.seconds.toFixed(1)} s`,
    ...operationLines(figures, before),
    '',
    ...processLines(figures, before),
    ...remarks(figures),
    ...profiles.flatMap(profileLines),
  ];
}

function operationLines(figures: LoadFigures, before: LoadFigures | null): readonly string[] {
  const head = ['operation', 'calls', 'per s', 'p50 ms', 'p90', 'p99', 'p99.9', 'max', 'unexpected'];
  const rows = figures.operations.map(({ name, count, perSecond, latency, unexpected }) => {
    const { p50, p90, p99, p999, max } = latency;
    const cells = [
      name,
      String(count),
      perSecond.toFixed(0),
      ...[p50, p90, p99, p999, max].map(shortMs),
      String(unexpected),
    ];
    const earlier = before?.operations.find((one) => one.name === name);
    return before === null
      ? cells
      : [...cells, changeText(earlier?.perSecond, perSecond), changeText(earlier?.latency.p99, p99)];
  });
  return textTable(before === null ? head : [...head, 'per s, change', 'p99, change'], rows);
}

function processLines(figures: LoadFigures, before: LoadFigures | null): readonly string[] {
  const head = ['process', 'CPU µs a call', 'cores', 'PSS MiB', 'before'];
  const rows = [...figures.processes, ...figures.others].map((one) => {
    const cells = [
      one.name,
      one.cpuMicrosPerCall.toFixed(1),
      one.cpuShare.toFixed(2),
      mib(one.pssMiB),
      mib(one.pssMiBBefore),
    ];
    const earlier = [...(before?.processes ?? []), ...(before?.others ?? [])].find(
      ({ name }) => name === one.name,
    );
    return before === null ? cells : [...cells, changeText(earlier?.cpuMicrosPerCall, one.cpuMicrosPerCall)];
  });
  const sum = (pick: (one: LoadFigures['processes'][number]) => number): number =>
    figures.processes.reduce((total, one) => total + pick(one), 0);
  const total = [
    'product, stores included',
    figures.cpuMicrosPerCall.toFixed(1),
    sum(({ cpuShare }) => cpuShare).toFixed(2),
    mib(sum(({ pssMiB }) => pssMiB ?? 0)),
    mib(sum(({ pssMiBBefore }) => pssMiBBefore ?? 0)),
  ];
  const last =
    before === null ? total : [...total, changeText(before.cpuMicrosPerCall, figures.cpuMicrosPerCall)];
  if (figures.processes.length === 0)
    return ['The target runs elsewhere: what its processes cost is not known here.'];
  return textTable(before === null ? head : [...head, 'CPU, change'], [...rows, last]);
}

function remarks(figures: LoadFigures): readonly string[] {
  const { operations, settledAfterMs } = figures;
  const codes = operations.flatMap(({ name, codes: counts }) =>
    Object.entries(counts).map(([code, count]) => `${name} ${code} ${count}`),
  );
  return [
    '',
    `Calls ${clientText(figures)}${isClientLarge(figures) ? ' — LARGE' : ''}`,
    `Answers: ${codes.join(', ')}`,
    ...(settledAfterMs === null
      ? []
      : [`All was settled ${(settledAfterMs / 1_000).toFixed(1)} s behind the last call.`]),
  ];
}

function profileLines({ process: name, file, top }: ProcessProfile): readonly string[] {
  const rows = top.map((one) => [
    one.name,
    `${(one.share * 100).toFixed(1)} %`,
    one.milliseconds.toFixed(0),
    `  ${one.place}`,
  ]);
  return ['', `${name}: ${file}`, ...textTable(['function', 'self', 'ms', 'where'], rows)];
}

/** A section, as lines. */
export function sectionLines({ title, tables, remarks }: Section): readonly string[] {
  return ['', title, ...tables.flatMap(({ head, rows }) => ['', ...textTable(head, rows)]), '', ...remarks];
}
