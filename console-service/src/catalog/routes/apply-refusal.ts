import { changeText } from '../../history/domain/change-text.js';
import type { Refusal } from '../../manage/domain/operations.js';
import type { Change } from '../domain/plan-apply.js';
import type { ApplyRefusal, ApplyResult } from '../usecase/apply-catalog.js';

/** Most removals or opening balances that a refusal lists. */
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
  if (refusal.kind === 'money') return moneyRefusal(refusal.paths);
  return {
    detail: `${unconfirmedText(refusal)} Nothing was changed. ${CONFIRM}`,
    errors: removalErrors(changes),
    status: 409,
  };
}

/** Why opening balances are refused to a caller that may not move money. `paths`: where they are. */
export function moneyRefusal(paths: readonly string[]): Refusal {
  return {
    detail:
      'An opening balance moves money, which only admin and finance may do. Nothing was changed. Leave it out, and let ' +
      'one of them deposit the amount (placard advertiser deposit).',
    errors: listed(paths, 'would be credited'),
    status: 403,
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
  return listed(
    removed.map(({ kind, id }) => `${kind} ${id}`),
    'would be removed',
  );
}

function listed(fields: readonly string[], detail: string): Refusal['errors'] {
  const errors = fields.slice(0, LISTED_MAX).map((field) => ({ field, detail }));
  const more = fields.length - errors.length;
  return more === 0 ? errors : [...errors, { field: 'file', detail: `${more} more ${detail}` }];
}

/** Splits each line `path: fault`. */
export function faultErrors(faults: readonly string[]): Refusal['errors'] {
  return faults.map((line) => {
    const at = line.indexOf(': ');
    return { field: line.slice(0, at), detail: line.slice(at + 2) };
  });
}
