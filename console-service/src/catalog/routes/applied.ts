import type { Schemas } from '../../manage/domain/operations.js';
import type { Change } from '../domain/plan-apply.js';

/** What was changed, or would be. */
export interface Outcome {
  readonly changes: readonly Change[];
  readonly notes?: readonly string[];
  readonly warnings?: readonly string[];
  /** The current version of the catalog. */
  readonly version: number;
}

/** The changes in the answer of an operation that changes the catalog. */
export function toApplied({ changes, notes = [], warnings = [], version }: Outcome): Schemas['Applied'] {
  return { version, changes: changes.map(toChange), notes: [...notes], warnings: [...warnings] };
}

function toChange({ action, kind, id, details }: Change): Schemas['Change'] {
  return { change: action, kind, id, details: [...details] };
}
