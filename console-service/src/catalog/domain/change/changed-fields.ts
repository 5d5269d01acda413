import { isSameValue, showValue, type Fields } from '../catalog-object.js';
import { KINDS, type ObjectKind } from '../kinds.js';

/** Names of the fields whose values differ, in the order of the file format. */
export function changedFields(kind: ObjectKind, before: Fields, after: Fields): string[] {
  return KINDS[kind].fields.map(({ name }) => name).filter((name) => !isSameValue(before[name], after[name]));
}

/** Lines `field: old → new` of an update, in the order of the file format. */
export function changedLines(kind: ObjectKind, before: Fields, after: Fields): string[] {
  return changedFields(kind, before, after).map(
    (name) => `${name}: ${showValue(before[name])} → ${showValue(after[name])}`,
  );
}
