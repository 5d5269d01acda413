import { faultErrors, moneyRefusal, removalErrors } from '../../catalog/routes/apply-refusal.js';
import { changeText } from '../../history/domain/change-text.js';
import type { Refusal } from '../../manage/domain/operations.js';
import type { ReadObject, WriteRefusal } from '../domain/object-write.js';

/** Why an object is not written, for its caller. */
export function writeRefusal({ kind, id }: Pick<ReadObject, 'kind' | 'id'>, refusal: WriteRefusal): Refusal {
  switch (refusal.kind) {
    case 'faults':
      return {
        detail: `The ${kind} is refused and nothing was changed.`,
        errors: faultErrors(refusal.faults).map((error) => ({ ...error, field: inBody(kind, error.field) })),
      };
    case 'money':
      return moneyRefusal(refusal.paths.map((path) => inBody(kind, path)));
    case 'stale':
      return {
        detail: `The ${kind} ${id} has changed since. Nothing was changed. Read it again and repeat your change.`,
        errors: [{ field: `${kind} ${id}`, detail: changeText(refusal.change) }],
        status: 412,
      };
    case 'unconfirmed':
      return {
        detail: `There are objects below ${kind} ${id}. Nothing was changed. To remove them too, confirm it (confirm=true).`,
        errors: removalErrors(refusal.removals),
        status: 409,
      };
  }
}

/** A path as the body has it: without the kind of the object. */
function inBody(kind: string, path: string): string {
  return path.startsWith(`${kind}.`) ? path.slice(kind.length + 1) : path;
}
