import { toIso } from '@placard/service-kit/pure';
import { changedLines } from '../../catalog/domain/change/changed-fields.js';
import type { ObjectChange } from './object-change.js';

/** The fields of an update, such as `bid_cpm: 2.50 → 3.00`; none of other changes. */
export function detailsOf({ kind, before, after }: ObjectChange): string[] {
  return before === null || after === null ? [] : changedLines(kind, before, after);
}

/** A change for people: `updated in version 8 at 2026-05-01T12:00:00.000Z by ben (bid_cpm: 2.50 → 3.00)`. */
export function changeText(change: ObjectChange): string {
  const details = detailsOf(change);
  const what = details.length === 0 ? '' : ` (${details.join('; ')})`;
  const at = toIso(change.atMs);
  return `${change.change} in version ${change.version} at ${at} by ${change.actor}${what}`;
}
