import { ownIdOf } from '../../catalog/domain/catalog-object.js';
import { KINDS } from '../../catalog/domain/kinds.js';
import type { RawMap } from '../../catalog/domain/raw-value.js';
import { refusedWrite, type ReadObject, type WriteResult } from '../domain/object-write.js';
import { applyObject } from './apply-object.js';
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
export function makeChangeObject({ store, clock }: ObjectWriteDeps): ChangeObject {
  return ({ body, actor, ...read }) =>
    store.inChange(async (transaction) => {
      const unchanged = await readUnchanged(transaction, read);
      if ('refusal' in unchanged) return refusedWrite(unchanged.refusal, transaction.version);
      const { kind, parentId } = unchanged.object;
      const raw = new Map(body).set(KINDS[kind].idField, ownIdOf(unchanged.object));
      return applyObject(transaction, { object: { kind, parentId, raw }, actor, nowMs: clock.now() });
    });
}
