import type { ObjectKind } from '../../catalog/domain/kinds.js';
import type { Change } from '../../catalog/domain/plan-apply.js';
import type { ObjectChange } from '../../history/domain/object-change.js';

/** An object as a caller has read it. */
export interface ReadObject {
  readonly kind: ObjectKind;
  readonly id: string;
  /** The caller has read it in this version of the catalog or a later one, in which it was the same. */
  readonly ifMatch: number;
}

/** Why an object is not written. */
export type WriteRefusal =
  /** Lines `path: fault`. A path begins with the kind of the object. */
  | { readonly kind: 'faults'; readonly faults: readonly string[] }
  /** It has changed since the caller has read it. The newest change. */
  | { readonly kind: 'stale'; readonly change: ObjectChange }
  /** Objects below it would be removed too: it and all of them. */
  | { readonly kind: 'unconfirmed'; readonly removals: readonly Change[] }
  /** The caller may not move money, and the object has an opening balance. Paths that begin with the kind of the object. */
  | { readonly kind: 'money'; readonly paths: readonly string[] };

/** The result of a write. With a refusal nothing was changed. */
export interface WriteResult {
  readonly refusal: WriteRefusal | null;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** What can never deliver, or not as written: `path: reason`. */
  readonly warnings: readonly string[];
  /** The current version of the catalog. */
  readonly version: number;
}

/** The result of a write that is refused. */
export function refusedWrite(refusal: WriteRefusal, version: number): WriteResult {
  return { refusal, changes: [], notes: [], warnings: [], version };
}
