import type { StoredObject } from '../../catalog/domain/catalog-object.js';
import { Faults } from '../../catalog/domain/faults.js';
import { parentKindOf, type ObjectKind } from '../../catalog/domain/kinds.js';
import { readObject, type LooseObject } from '../../catalog/domain/read-catalog.js';
import type { CatalogTransaction } from '../../catalog/store/catalog-store.js';
import { applyInChange } from '../../catalog/usecase/apply-catalog.js';
import type { CheckCallbacks } from '../../catalog/usecase/check-callbacks.js';
import { objectFile } from '../domain/object-file.js';
import { refusedWrite, type WriteResult } from '../domain/object-write.js';

/** An object to apply. */
export interface ObjectApply {
  readonly object: LooseObject;
  /** Those of its callback. More are added. */
  readonly faults: Faults;
  /** The caller, for the audit. */
  readonly actor: string;
  /** Whether the caller may move money. */
  readonly isMoneyAllowed: boolean;
  /** Epoch ms. */
  readonly nowMs: number;
}

/** Checks the callback of an object that is to be applied, before its change begins. Returns the faults. */
export async function checkAhead(checkCallbacks: CheckCallbacks, object: LooseObject): Promise<Faults> {
  const faults = new Faults();
  await checkCallbacks(readObject(object, new Faults()), faults);
  return faults;
}

/** Applies one object as a catalog file is applied. A parent that is not there is a fault. */
export async function applyObject(
  transaction: CatalogTransaction,
  { object, faults, actor, isMoneyAllowed, nowMs }: ObjectApply,
): Promise<WriteResult> {
  const parent = await readParent(transaction, object, faults);
  const file = objectFile(object, parent, faults);
  const request = {
    file,
    faults,
    isPruning: false,
    isOnlyIfEmpty: false,
    isDryRun: false,
    isConfirmed: false,
    isMoneyAllowed,
    ifVersion: null,
    actor,
  };
  const result = await applyInChange(transaction, request, nowMs);
  if (result.faults.length > 0)
    return refusedWrite({ kind: 'faults', faults: result.faults }, result.version);
  if (result.refusal?.kind === 'money') return refusedWrite(result.refusal, result.version);
  const { changes, notes, warnings, version } = result;
  return { refusal: null, changes, notes, warnings, version };
}

async function readParent(
  transaction: CatalogTransaction,
  { kind, parentId }: { readonly kind: ObjectKind; readonly parentId: string | null },
  faults: Faults,
): Promise<StoredObject | null> {
  const parentKind = parentKindOf(kind);
  if (parentKind === null || parentId === null) return null;
  const [parent] = await transaction.readNamed([{ kind: parentKind, id: parentId }], []);
  if (parent === undefined) faults.add(`${kind}.${parentKind}`, `there is no ${parentKind} ${parentId}`);
  return parent ?? null;
}
