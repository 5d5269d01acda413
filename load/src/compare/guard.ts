import { ratiosOf, runCompare, type CompareResult } from './compare.js';
import { median } from '../median.js';
import type { Run } from '../run.js';
import { guardBoundOf } from './targets.js';

/** Whether the product has become dearer than it may be. */
export interface GuardResult {
  readonly comparison: CompareResult;
  /** One line: what was seen, the bounds, and what to do next. */
  readonly verdict: string;
  readonly isPassed: boolean;
}

/** Compares product and skeleton for a short time and judges the medians by the bounds. */
export async function runGuard(run: Run): Promise<GuardResult> {
  const comparison = await runCompare(run, ['skeleton', 'session', 'request', 'impression']);
  return { comparison, ...judgeGuard(comparison, run.options.concurrency) };
}

/** The guard's judgement. A step without a bound is not judged; none at all, or no figure, does not pass. */
export function judgeGuard(
  comparison: CompareResult,
  concurrency: number,
): Pick<GuardResult, 'verdict' | 'isPassed'> {
  const judged = ratiosOf(comparison).flatMap(({ step, ratios }) => {
    const bound = guardBoundOf(step, concurrency);
    return bound === null ? [] : [{ step, seen: median(ratios), bound }];
  });
  const isPassed = judged.length > 0 && judged.every(({ seen, bound }) => seen <= bound);
  const seen = judged.map(
    ({ step, seen, bound }) => `${step} ${seen.toFixed(2)} × skeleton (bound ${bound.toFixed(2)})`,
  );
  const next = isPassed
    ? 'within the bounds.'
    : 'too dear. Run it once more on a quiet machine; then npm run load -- bill says which part it is.';
  return { verdict: `guard: ${seen.join(', ')}: ${next}`, isPassed };
}
