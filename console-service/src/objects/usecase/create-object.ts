import { appError } from '@placard/service-kit';
import { objectId } from '../../catalog/domain/catalog-object.js';
import { KINDS, parentKindOf, type ObjectKind } from '../../catalog/domain/kinds.js';
import type { RawMap, RawValue } from '../../catalog/domain/raw-value.js';
import type { WriteResult } from '../domain/object-write.js';
import { applyObject, checkAhead } from './apply-object.js';
import type { ObjectWriteDeps } from './object-deps.js';

/** A new object. */
export interface CreateRequest {
  readonly kind: ObjectKind;
  /** Its id or code, its fields, and under the kind of its parent the id of that. */
  readonly body: RawMap;
  /** The caller, for the audit. */
  readonly actor: string;
  /** Whether the caller may move money. */
  readonly isMoneyAllowed: boolean;
}

/**
 * Creates an object of the catalog. Fields that the body leaves out get their default. Error: `conflict` (there is such
 * an object). Contract: docs/contract/operator-interface.md#objects-of-the-catalog.
 */
export type CreateObject = (request: CreateRequest) => Promise<WriteResult>;

/** Makes {@link CreateObject}. */
export function makeCreateObject({ store, checkCallbacks, clock }: ObjectWriteDeps): CreateObject {
  return async ({ kind, body, actor, isMoneyAllowed }) => {
    const raw = new Map(body);
    const parentId = takeText(raw, parentKindOf(kind));
    const ownId = body.get(KINDS[kind].idField);
    const id = typeof ownId === 'string' ? objectId(kind, ownId, parentId) : null;
    const faults = await checkAhead(checkCallbacks, { kind, parentId, raw });
    return store.inChange(async (transaction) => {
      const existing = id === null ? [] : await transaction.readNamed([{ kind, id }], []);
      if (existing.length > 0)
        throw appError('conflict', `Another ${kind} has the id ${id ?? ''}. Change it or choose another id.`);
      return applyObject(transaction, {
        object: { kind, parentId, raw },
        faults,
        actor,
        isMoneyAllowed,
        nowMs: clock.now(),
      });
    });
  };
}

/** Takes a text out of a mapping. Null: there is none of that name. */
function takeText(raw: Map<string, RawValue>, name: string | null): string | null {
  const value = name === null ? null : raw.get(name);
  if (name !== null) raw.delete(name);
  return typeof value === 'string' ? value : null;
}
