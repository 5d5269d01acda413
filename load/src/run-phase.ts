import type { Phase, Second } from './generator/messages.js';
import {
  clientFigures,
  operationFigures,
  outcomeFigures,
  processFigures,
  secondFigures,
  secondsOf,
  slotsOf,
  timelineOf,
  type LoadFigures,
} from './figures.js';
import { costsOf, type ProcessCost } from './measure/process-cost.js';
import { settledEvents, untilSettled } from './measure/settled.js';
import { toggleProfiles } from './profile/profiles.js';
import type { Swarm } from './swarm.js';

/** Options of a measured phase. */
export interface Measured {
  readonly swarm: Swarm;
  readonly generators: number;
  /** Processes whose CPU is the price, by name. */
  readonly pids: Readonly<Record<string, number>>;
  /** The process of the stub, if there is one. */
  readonly otherPids: Readonly<Record<string, number>>;
  /** Metrics URL of the worker that must settle all events before the price is known; null: there is none. */
  readonly workerMetrics: string | null;
  readonly profiles: boolean;
  /** Receives a line each second. */
  readonly say: (text: string) => void;
  /** The line about a second, which is given by all generators; default: rate and latency. */
  readonly lineOf?: (parts: readonly Second[], second: number) => string;
  /** Called when the warm-up is over. */
  readonly measuring?: () => void;
}

/** Runs a phase and returns its figures, including the cost of settling its events. */
export async function runPhase(measured: Measured, phase: Phase): Promise<LoadFigures> {
  const { swarm, generators, pids, otherPids, workerMetrics, profiles, say, lineOf = secondLine } = measured;
  const heard: Second[] = [];
  const all = { ...pids, ...otherPids, ...swarm.pids };
  let before: Readonly<Record<string, ProcessCost>> = {};
  let startedAtMs = 0;
  const settledBefore = workerMetrics === null ? 0 : await settledEvents(workerMetrics);
  // Starting a profile stops a process for a moment, so it starts before the warm-up, which it includes.
  if (profiles) toggleProfiles(pids);
  const results = await swarm.run(phase, {
    measuring: () => {
      startedAtMs = performance.now();
      before = costsOf(all);
      measured.measuring?.();
    },
    second: (second) => {
      heard.push(second);
      if (heard.length % generators === 0) say(lineOf(heard.slice(-generators), heard.length / generators));
    },
  });
  if (profiles) toggleProfiles(pids);
  const accepted = sumOf(results, (result) => result.accepted);
  const settledAfterMs =
    workerMetrics === null ? null : await untilSettled(workerMetrics, settledBefore + accepted);
  const unsettled =
    workerMetrics === null || settledAfterMs !== null
      ? 0
      : settledBefore + accepted - (await settledEvents(workerMetrics));
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const span = { before, after: costsOf(all), seconds };
  const operations = operationFigures(results);
  const calls = operations[0]?.count ?? 0;
  const processes = processFigures(span, calls);
  const isPriced = ({ name }: { readonly name: string }): boolean => name in pids;
  const priced = processes.filter(isPriced);
  return {
    seconds: secondsOf(results),
    operations,
    outcomes: outcomeFigures(results),
    afterFall: slotsOf(results),
    processes: priced,
    others: processes.filter((one) => !isPriced(one)),
    cpuMicrosPerCall: sumOf(priced, ({ cpuMicrosPerCall }) => cpuMicrosPerCall),
    unsent: sumOf(results, ({ unsent }) => unsent),
    client: clientFigures(results),
    settledAfterMs,
    unsettled,
    ended: Object.keys(span.before).filter((name) => !(name in span.after)),
    // Whole seconds only. A partial last second would look like a drop.
    timeline: timelineOf(heard, generators).slice(0, Math.max(1, Math.floor(secondsOf(results)))),
  };
}

function sumOf<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + pick(item), 0);
}

function secondLine(parts: readonly Second[], second: number): string {
  const { perSecond, p50, p99, unexpected } = secondFigures(parts);
  const fault = unexpected === 0 ? '' : `  ${unexpected} unexpected`;
  return `${String(second).padStart(4)} s  ${String(perSecond).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${fault}`;
}
