import { changeText } from '../../history/domain/change-text.js';
import type { Refusal } from '../../manage/domain/operations.js';
import type { Change } from '../domain/plan-apply.js';
import type { ApplyRefusal, ApplyResult } from '../usecase/apply-catalog.js';

/** Most removals that a refusal lists. */
const LISTED_MAX = 500;

/** Why a file is refused that has no faults. */
export function applyRefusal(refusal: ApplyRefusal, { changes, version }: ApplyResult): Refusal {
  if (refusal.kind === 'stale') {
    return {
      detail: `The catalog has changed since the version of the file and has version ${version}. Nothing was changed. Export it again and repeat your change.`,
      errors: refusal.since.map((change) => ({
        field: `${change.kind} ${change.id}`,
        detail: changeText(change),
      })),
      status: 409,
    };
  }
  return {
    detail: `${unconfirmedText(refusal)} Nothing was changed. ${CONFIRM}`,
    errors: removalErrors(changes),
    status: 409,
  };
}

const CONFIRM = 'If you want that, confirm it (--yes, confirm=true).';

/** How many objects a file would remove, in a sentence. */
export function unconfirmedText({ removals }: ApplyRefusal & { readonly kind: 'unconfirmed' }): string {
  const { removedCount, outsideCount } = removals;
  const outside =
    outsideCount === 0 ? '' : `, ${outsideCount} of them outside the parents that the file lists`;
  return `${removedCount} objects would be removed${outside}.`;
}

/** One entry for each object that would be removed. */
export function removalErrors(changes: readonly Change[]): Refusal['errors'] {
  const removed = changes.filter(({ action }) => action === 'removed');
  const listed = removed
    .slice(0, LISTED_MAX)
    .map(({ kind, id }) => ({ field: `${kind} ${id}`, detail: 'would be removed' }));
  const more = removed.length - listed.length;
  return more === 0 ? listed : [...listed, { field: 'file', detail: `${more} more would be removed` }];
}

/** Splits each line `path: fault`. */
export function faultErrors(faults: readonly string[]): Refusal['errors'] {
  return faults.map((line) => {
    const at = line.indexOf(': ');
    return { field: line.slice(0, at), detail: line.slice(at + 2) };
  });
}
