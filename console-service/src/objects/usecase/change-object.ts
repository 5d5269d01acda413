import { appIdIn, ownIdOf } from '../../catalog/domain/catalog-object.js';
import { KINDS } from '../../catalog/domain/kinds.js';
import type { RawMap } from '../../catalog/domain/raw-value.js';
import { refusedWrite, type ReadObject, type WriteResult } from '../domain/object-write.js';
import { applyObject, checkAhead } from './apply-object.js';
import type { ObjectWriteDeps } from './object-deps.js';
import { readUnchanged } from './read-unchanged.js';

/** New values of an object. */
export interface ChangeRequest extends ReadObject {
  /** The fields to change. */
  readonly body: RawMap;
  /** The caller, for the audit. */
  readonly actor: string;
}

/**
 * Changes fields of an object of the catalog. The others keep their value, and null sets the default. Errors:
 * `not_found`, `invalid_argument` (the version is above the current one).
 * Contract: docs/contract/operator-interface.md#objects-of-the-catalog.
 */
export type ChangeObject = (request: ChangeRequest) => Promise<WriteResult>;

/** Makes {@link ChangeObject}. */
export function makeChangeObject({ store, checkCallbacks, clock }: ObjectWriteDeps): ChangeObject {
  return async ({ body, actor, ...read }) => {
    const { kind } = read;
    // The global object has no id in a file.
    const raw = kind === 'global' ? body : new Map(body).set(KINDS[kind].idField, ownIdOf(read));
    const faults = await checkAhead(checkCallbacks, { kind, parentId: appIdIn(read), raw });
    return store.inChange(async (transaction) => {
      const unchanged = await readUnchanged(transaction, read);
      if ('refusal' in unchanged) return refusedWrite(unchanged.refusal, transaction.version);
      const { parentId } = unchanged.object;
      return applyObject(transaction, {
        object: { kind, parentId, raw },
        faults,
        actor,
        // Only a new object books money.
        isMoneyAllowed: false,
        nowMs: clock.now(),
      });
    });
  };
}
