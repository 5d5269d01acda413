import type { StoredObject } from '../../src/catalog/domain/catalog-object.js';
import { planApply, type ApplyPlan, type Change } from '../../src/catalog/domain/plan-apply.js';
import { readHere } from '../../src/catalog/file/read-here.js';

/** The plan and the faults of a file on a stored catalog. */
export interface Judged extends ApplyPlan {
  readonly faults: readonly string[];
}

/** Reads a file and plans its apply, without a store. */
export function judge(text: string, stored: readonly StoredObject[] = [], isPruning = false): Judged {
  const { file, faults } = readHere(text);
  if (file === null) return { faults: faults.list(), changes: [], notes: [] };
  const plan = planApply(file, { objects: stored, isPruning }, faults);
  return { ...plan, faults: faults.list() };
}

/** The stored objects after the changes are applied to an empty catalog. */
export function storedAfter(changes: readonly Change[]): StoredObject[] {
  return changes.flatMap(({ kind, id, parentId, after }) =>
    after === null ? [] : [{ kind, id, parentId, fields: after }],
  );
}

/** A change in few words: `updated campaign cmp_spring`. */
export function inWords(changes: readonly Pick<Change, 'action' | 'kind' | 'id'>[]): string[] {
  return changes.map(({ action, kind, id }) => `${action} ${kind} ${id}`);
}
