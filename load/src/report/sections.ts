import type { LoadOptions } from '../options.js';
import type { Results } from './run-result.js';
import type { Section } from './section.js';
import { billSection } from './sections/bill.js';
import { catalogSection } from './sections/catalog.js';
import { comparisonSection } from './sections/comparison.js';
import { drainSection } from './sections/drain.js';
import { latencySection } from './sections/latency.js';
import { guardSection } from './sections/guard.js';
import { leasesSection } from './sections/leases.js';
import { overloadSection } from './sections/overload.js';
import { selectionSection } from './sections/selection.js';
import { soakSection } from './sections/soak.js';

/** The sections of a run besides its targets. */
export function sectionsOf(
  results: Results,
  { concurrency }: Pick<LoadOptions, 'concurrency'>,
): readonly Section[] {
  const { comparison, latency, selection, catalog, drain, leases, soak, overload, bill, guard } = results;
  return [
    ...(comparison === undefined ? [] : [comparisonSection(comparison, concurrency)]),
    ...(guard === undefined ? [] : [guardSection(guard, concurrency)]),
    ...(latency === undefined ? [] : [latencySection(latency)]),
    ...(selection === undefined ? [] : [selectionSection(selection)]),
    ...(catalog === undefined ? [] : [catalogSection(catalog)]),
    ...(drain === undefined ? [] : [drainSection(drain)]),
    ...(leases === undefined ? [] : [leasesSection(leases)]),
    ...(soak === undefined ? [] : [soakSection(soak)]),
    ...(overload === undefined ? [] : [overloadSection(overload)]),
    ...(bill === undefined ? [] : [billSection(bill)]),
  ];
}
