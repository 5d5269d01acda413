import { appError } from '@placard/service-kit';
import type { Clock } from '@placard/service-kit/pure';
import type { StoredObject } from '../../catalog/domain/catalog-object.js';
import { Faults } from '../../catalog/domain/faults.js';
import type { GivenObject } from '../../catalog/domain/change/new-callbacks.js';
import type { CheckCallbacks } from '../../catalog/usecase/check-callbacks.js';
import { REMOVED_UNCONFIRMED_MAX } from '../../catalog/domain/change/removals.js';
import { parentKindOf } from '../../catalog/domain/kinds.js';
import type { Change } from '../../catalog/domain/plan-apply.js';
import type { CatalogStore, CatalogTransaction } from '../../catalog/store/catalog-store.js';
import type { EverObject } from '../../catalog/store/reads/catalog-reads.js';
import type { ObjectChange } from '../domain/object-change.js';
import { planRevert, restoredFields, type RevertPlan } from '../domain/plan-revert.js';

/** A version to revert. */
export interface RevertRequest {
  readonly version: number;
  /** Whether the operator has confirmed to undo later changes of the same objects, and to remove more than a few objects. */
  readonly isConfirmed: boolean;
  /** The caller, for the audit. */
  readonly actor: string;
}

/** The result of a revert. With faults, or when it is not confirmed, nothing was changed. */
export interface RevertResult {
  /** Why it cannot be made, `object: reason`. */
  readonly faults: readonly string[];
  /** The newest later change of each object that the revert would change. They need a confirmation. */
  readonly conflicts: readonly ObjectChange[];
  readonly isApplied: boolean;
  /** What was changed, or would be changed. */
  readonly changes: readonly Change[];
  /** The current version of the catalog. */
  readonly version: number;
}

/**
 * Undoes what one version changed, as a new change. Error: `not_found` (no object was changed under that version).
 * Contract: docs/contract/catalog.md#reverting-a-version.
 */
export type RevertVersion = (request: RevertRequest) => Promise<RevertResult>;

/** What {@link RevertVersion} needs. */
export interface RevertVersionDeps {
  readonly store: Pick<CatalogStore, 'inChange' | 'history'>;
  readonly checkCallbacks: CheckCallbacks;
  readonly clock: Clock;
}

/** Makes {@link RevertVersion}. */
export function makeRevertVersion({ store, checkCallbacks, clock }: RevertVersionDeps): RevertVersion {
  return async ({ version, isConfirmed, actor }) => {
    const refused = new Faults();
    await checkCallbacks((await store.history.ofVersion(version)).map(toGiven), refused);
    return store.inChange(async (transaction) => {
      const reverted = await transaction.history.ofVersion(version);
      if (reverted.length === 0)
        throw appError('not_found', `No object of the catalog was changed under version ${version}.`);
      const plan = await plannedRevert(transaction, reverted);
      const faults = [...plan.faults, ...refused.list()];
      const conflicts = await transaction.history.laterThan(version, plan.changes);
      const result = {
        faults,
        conflicts,
        isApplied: false,
        changes: plan.changes,
        version: transaction.version,
      };
      const removedCount = plan.changes.filter(({ action }) => action === 'removed').length;
      const isSmall = conflicts.length === 0 && removedCount <= REMOVED_UNCONFIRMED_MAX;
      if (faults.length > 0 || !(isConfirmed || isSmall) || plan.changes.length === 0) return result;
      const publication = { changes: plan.changes, deposits: [], actor, atMs: clock.now() };
      const published = await transaction.publish(publication);
      return { ...result, isApplied: true, version: published.version };
    });
  };
}

/** The object with the fields that the revert would restore. */
function toGiven(change: ObjectChange): GivenObject {
  const { kind, id } = change;
  return { kind, id, path: `${kind} ${id}`, given: new Map(Object.entries(restoredFields(change))) };
}

async function plannedRevert(
  transaction: CatalogTransaction,
  reverted: readonly ObjectChange[],
): Promise<RevertPlan> {
  const { reads } = transaction;
  const known = await reads.readEver(reverted);
  const parents = await reads.readEver(parentsOf(known));
  const created = reverted.filter(({ change }) => change === 'created');
  const children = await reads.readBelow(created);
  const grandchildren = await reads.readBelow(children);
  const appKeys = reverted.flatMap(({ before }) => {
    const key = before?.['app_key'];
    return typeof key === 'string' ? [key] : [];
  });
  return planRevert({
    changes: reverted,
    known: [...known, ...parents],
    below: [...children, ...grandchildren],
    keyOwners: await transaction.readNamed([], appKeys),
  });
}

function parentsOf(objects: readonly EverObject[]): Pick<StoredObject, 'kind' | 'id'>[] {
  return objects.flatMap(({ kind, parentId }) => {
    const parentKind = parentKindOf(kind);
    return parentKind === null || parentId === null ? [] : [{ kind: parentKind, id: parentId }];
  });
}
