import { shortMs } from './table.js';
import type { NamedLoad } from './run-result.js';

/** A generator that is later than this makes the latencies its own. */
const LATE_MS = 10;

/** What makes a stretch of load a failure, in sentences: its figures are not those of a product that did its work. */
export function faultsOf({ name, figures }: NamedLoad): readonly string[] {
  const { operations, ended, unsettled } = figures;
  const [all] = operations;
  return [
    ...(all === undefined || all.count === 0 ? ['nothing was answered'] : []),
    ...((all?.unexpected ?? 0) === 0 ? [] : [`${all?.unexpected ?? 0} answers were not the promised ones`]),
    ...ended.map((process) => `${process} ended on the way, so its CPU is missing and the price is too low`),
    ...(unsettled === 0 ? [] : [`${unsettled} accepted events were not seen settled within two minutes`]),
  ].map((fault) => `${name}: ${fault}.`);
}

/** What a reader of its latencies has to know, in sentences. */
export function warningsOf({ name, figures: { unsent, lateMs } }: NamedLoad): readonly string[] {
  return [
    ...(unsent === 0 ? [] : [`${unsent} calls of the plan were not sent: too many were on their way`]),
    ...(lateMs < LATE_MS
      ? []
      : [
          `1 % of the calls left the generators more than ${shortMs(lateMs)} ms behind the plan, for lack of CPU or of --generators; that is in the latencies`,
        ]),
  ].map((warning) => `${name}: ${warning}.`);
}
