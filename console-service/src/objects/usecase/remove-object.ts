import { toRemoval } from '../../catalog/domain/plan-apply.js';
import { readAllBelow } from '../../catalog/usecase/show-object.js';
import { refusedWrite, type ReadObject, type WriteResult } from '../domain/object-write.js';
import type { ObjectRemoveDeps } from './object-deps.js';
import { readUnchanged } from './read-unchanged.js';

/** An object to remove. */
export interface RemoveRequest extends ReadObject {
  /** Whether the caller has confirmed that the objects below it are removed too. */
  readonly isConfirmed: boolean;
  /** The caller, for the audit. */
  readonly actor: string;
}

/**
 * Removes an object of the catalog, and when that is confirmed everything below it. Errors: `not_found`,
 * `invalid_argument` (the version is above the current one).
 * Contract: docs/contract/operator-interface.md#objects-of-the-catalog.
 */
export type RemoveObject = (request: RemoveRequest) => Promise<WriteResult>;

/** Makes {@link RemoveObject}. */
export function makeRemoveObject({ store, clock }: ObjectRemoveDeps): RemoveObject {
  return ({ isConfirmed, actor, ...read }) =>
    store.inChange(async (transaction) => {
      const unchanged = await readUnchanged(transaction, read);
      if ('refusal' in unchanged) return refusedWrite(unchanged.refusal, transaction.version);
      const below = await readAllBelow(transaction.reads, [unchanged.object]);
      const changes = [unchanged.object, ...below].map(toRemoval);
      if (below.length > 0 && !isConfirmed)
        return refusedWrite({ kind: 'unconfirmed', removals: changes }, transaction.version);
      const publication = { changes, deposits: [], actor, atMs: clock.now() };
      const { version } = await transaction.publish(publication);
      return { refusal: null, changes, notes: [], warnings: [], version };
    });
}
