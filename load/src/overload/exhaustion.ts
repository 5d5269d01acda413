import type { OverloadResult } from './run-overload.js';

/** From this share of its limit on, a process may be without a free descriptor between two samples. */
const SHARE_MAX = 0.9;

/** Sentences about steps in which the gateway had no connection left, which makes the figures void. */
export function exhaustionOf({
  steps,
  descriptorLimit: limit,
}: Pick<OverloadResult, 'descriptorLimit'> & {
  readonly steps: readonly Pick<OverloadResult['steps'][number], 'times' | 'descriptorsMax'>[];
}): readonly string[] {
  if (limit === null) return [];
  return steps.flatMap(({ times, descriptorsMax: open }) =>
    open === null || open < SHARE_MAX * limit
      ? []
      : [
          `${times} × saturation: the gateway had ${open} of its ${limit} files and connections open, so the figures are void: raise the limit with ulimit -n.`,
        ],
  );
}
