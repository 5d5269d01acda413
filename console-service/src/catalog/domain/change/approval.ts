import { isSameValue, type Fields, type StoredObject } from '../catalog-object.js';
import type { NamedObject } from '../read-catalog.js';

/** What an approval of a creative covers: what the phone downloads, shows and opens. */
const APPROVED_FIELDS = ['type', 'url', 'click_url', 'width', 'height'] as const;

/** Whether two states of a creative have the same address, click address, type and size. */
export function isSameContent(left: Fields, right: Fields): boolean {
  return APPROVED_FIELDS.every((name) => isSameValue(left[name], right[name]));
}

/**
 * A note when the file changes what the approval of a creative covers and does not set `approved: true` beside the change;
 * null when the approval stays. Contract: docs/contract/catalog.md#approved-creative.
 */
export function lostApproval(object: NamedObject, before: StoredObject, after: Fields): string | null {
  if (object.kind !== 'creative' || before.fields['approved'] !== true) return null;
  if (object.given.get('approved') !== undefined || isSameContent(before.fields, after)) return null;
  const changed = APPROVED_FIELDS.filter((name) => !isSameValue(before.fields[name], after[name]));
  return (
    `${object.path}.approved: is false now, because ${changed.join(', ')} of creative ${object.id} changed; ` +
    'review the creative, then set approved: true'
  );
}
