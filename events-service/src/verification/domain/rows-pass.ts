import type { RowsPiece } from './verification.js';

/** Where a repeated check from the rows stands. */
export interface RowsPass {
  /** The `after` of the next piece; null: the first. */
  readonly next: string | null;
  /** Identities with faults in the pass so far. */
  readonly failed: ReadonlySet<string>;
  /** Identities with faults in the whole pass before. */
  readonly failedBefore: ReadonlySet<string>;
}

/** The start of the first pass. */
export function startRowsPass(): RowsPass {
  return { next: null, failed: new Set(), failedBefore: new Set() };
}

/**
 * The state after a piece, and the identities that do not hold. A fault lies in one piece only, so it holds an identity
 * down until a whole later pass is without one.
 */
export function afterPiece(
  { failed, failedBefore }: RowsPass,
  { checks, next }: Pick<RowsPiece, 'checks' | 'next'>,
): { readonly pass: RowsPass; readonly failed: ReadonlySet<string> } {
  const now = new Set([...failed, ...checks.filter((each) => each.faultCount > 0n).map(({ name }) => name)]);
  return {
    pass:
      next === null ? { next, failed: new Set(), failedBefore: now } : { next, failed: now, failedBefore },
    failed: new Set([...now, ...failedBefore]),
  };
}
