import { clientShareOf } from '../figures.js';
import { clientText, isClientLarge } from './client.js';
import type { NamedLoad } from './named-load.js';
import { shortMs } from './table.js';

/** Planned calls may leave the generator this late at p99, in milliseconds. Later ones are no open loop any more. */
const LATE_MS_MAX = 100;

/** Sentences about faults that make the figures of a load invalid. */
export function faultsOf({ name, figures, isOverload }: NamedLoad): readonly string[] {
  const { operations, client, ended, unsent, unsettled } = figures;
  const [all] = operations;
  return [
    ...(all === undefined || all.count === 0 ? ['nothing was answered'] : []),
    ...(client.late.p99 <= LATE_MS_MAX && unsent === 0
      ? []
      : [
          `the load generator fell behind its plan (p99 ${shortMs(client.late.p99)} ms late, ${unsent} calls not sent), so the figures are void: it needs more CPU or --generators`,
        ]),
    ...(isOverload === true || (all?.unexpected ?? 0) === 0
      ? []
      : [`${all?.unexpected ?? 0} answers were not the promised ones`]),
    ...ended.map((process) => `${process} ended on the way, so its CPU is missing and the price is too low`),
    ...(unsettled === 0 ? [] : [`${unsettled} accepted events were not seen settled within two minutes`]),
  ].map((fault) => `${name}: ${fault}.`);
}

/** Sentences about limits of the latencies of a load. An overloaded target causes long waits in the client itself. */
export function warningsOf({ name, figures, isPriceOnly, isOverload }: NamedLoad): readonly string[] {
  const share = (clientShareOf(figures) * 100).toFixed(0);
  return [
    ...(isPriceOnly !== true && isOverload !== true && isClientLarge(figures)
      ? [
          `the client itself caused up to ${share} % of the latencies, for lack of CPU or of --generators (${clientText(figures)})`,
        ]
      : []),
  ].map((warning) => `${name}: ${warning}.`);
}
