import { clientShareOf } from '../figures.js';
import { clientText, isClientLarge } from './client.js';
import type { NamedLoad } from './named-load.js';

/** Sentences about faults that make the figures of a load invalid. */
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

/** Sentences about limits of the latencies of a load. */
export function warningsOf({ name, figures, isPriceOnly }: NamedLoad): readonly string[] {
  const { unsent } = figures;
  const share = (clientShareOf(figures) * 100).toFixed(0);
  return [
    ...(unsent === 0 ? [] : [`${unsent} calls of the plan were not sent: too many were on their way`]),
    ...(isPriceOnly !== true && isClientLarge(figures)
      ? [
          `the client itself caused up to ${share} % of the latencies, for lack of CPU or of --generators (${clientText(figures)})`,
        ]
      : []),
  ].map((warning) => `${name}: ${warning}.`);
}
