import { ratiosOf, runCompare, type CompareResult } from './compare.js';
import { median } from '../median.js';
import type { Run } from '../run.js';
import { guardBoundOf } from './targets.js';

/** Whether the price of the product is within its bounds. */
export interface GuardResult {
  readonly comparison: CompareResult;
  /** One line: the figures, the bounds and the next step. */
  readonly verdict: string;
  readonly isPassed: boolean;
}

/** Compares product and skeleton for a short time and judges the medians by the bounds. */
export async function runGuard(run: Run): Promise<GuardResult> {
  const comparison = await runCompare(run, ['skeleton', 'session', 'request', 'impression']);
  return { comparison, ...judgeGuard(comparison, run.options.concurrency) };
}

/** The verdict of the guard. A step without a bound is not judged. It fails without any bounds or figures. */
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
