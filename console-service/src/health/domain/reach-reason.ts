import type { ConcernFigures, ConcernReason } from './concern.js';

/** The ad requests that a campaign lost, by the step of selection. A missing step lost none. */
export type LostRequests = ReadonlyMap<string, number>;

/** Steps at which a campaign loses requests that do not match it, in the order of selection. */
const MATCHING_STEPS = [
  'format',
  'app',
  'category',
  'country',
  'language',
  'android_version',
] as const satisfies readonly ConcernReason[];
/** Steps at which it loses requests that match it. */
const CONTESTED_STEPS = ['cap', 'outbid'] as const satisfies readonly ConcernReason[];

/**
 * Where a campaign loses the requests that it lacks, when nothing of its own stops it. `missing` is the number of
 * impressions that it lacks: when so many matching requests are lost, its targeting is wide enough. The answer is `reach`
 * when no lost request is known. Losses to its money and its schedule do not count, because those are judged by their
 * present state.
 */
export function reachReason(lost: LostRequests, missing: number): ConcernReason {
  const contested = CONTESTED_STEPS.reduce((sum, step) => sum + (lost.get(step) ?? 0), 0);
  const steps = contested >= missing ? CONTESTED_STEPS : [...MATCHING_STEPS, ...CONTESTED_STEPS];
  return mostLost(lost, steps) ?? 'reach';
}

/** The impressions that the day will probably lack; one for a campaign without a daily budget. */
export function missingImpressions(
  { budgetNanos, projectedNanos }: ConcernFigures,
  costNanos: bigint,
): number {
  if (budgetNanos === null || projectedNanos === null) return 1;
  return Number(budgetNanos - projectedNanos) / Number(costNanos);
}

/** The step that lost most requests, the first of equals. Null: none lost any. */
function mostLost(lost: LostRequests, steps: readonly ConcernReason[]): ConcernReason | null {
  let most: { readonly step: ConcernReason | null; readonly requests: number } = { step: null, requests: 0 };
  for (const step of steps) {
    const requests = lost.get(step) ?? 0;
    if (requests > most.requests) most = { step, requests };
  }
  return most.step;
}
