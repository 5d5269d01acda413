import { objectKey, type StoredObject } from '../catalog-object.js';
import type { FieldValue } from '../field-types.js';
import type { NamedObject } from '../read-catalog.js';

/** The address of a callback that a change saves. */
export interface NewCallback {
  /** The place of the address in the file, such as `publishers[0].apps[2].placements[0].reward.callback_url`. */
  readonly path: string;
  readonly url: string;
}

/** An object with the values that a change gives it. */
export type GivenObject = Pick<NamedObject, 'kind' | 'id' | 'path' | 'given'>;

/** The addresses of callbacks that a change would save and that their placements do not have already. */
export function newCallbacks(
  objects: readonly GivenObject[],
  stored: readonly Pick<StoredObject, 'kind' | 'id' | 'fields'>[],
): readonly NewCallback[] {
  const before = new Map(stored.map(({ kind, id, fields }) => [objectKey(kind, id), fields['reward']]));
  return objects.flatMap(({ kind, id, path, given }) => {
    const url = urlOf(given.get('reward'));
    const isNew = url !== null && url !== urlOf(before.get(objectKey(kind, id)));
    return isNew ? [{ path: `${path}.reward.callback_url`, url }] : [];
  });
}

function urlOf(reward: FieldValue | undefined): string | null {
  const isReward = typeof reward === 'object' && reward !== null && 'callback_url' in reward;
  return isReward ? reward.callback_url : null;
}
