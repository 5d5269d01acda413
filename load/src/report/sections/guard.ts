import type { GuardResult } from '../../compare/guard.js';
import type { Section } from '../section.js';
import { comparisonSection } from './comparison.js';

/** The comparison that the guard judged, and its verdict. */
export function guardSection({ comparison, verdict }: GuardResult, concurrency: number): Section {
  const { remarks, ...rest } = comparisonSection(comparison, concurrency);
  return { ...rest, title: 'Guard of the price', remarks: [...remarks, verdict] };
}
