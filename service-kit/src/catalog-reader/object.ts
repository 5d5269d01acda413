import type {
  AppId,
  CatalogKind,
  ObjectKind,
  ObjectOf as Value,
  PlacementCode,
  PlacementKey,
} from '../pure/index.js';

/** The type of each kind of object. */
export type ObjectOf = { readonly [Kind in CatalogKind]: Value<Kind> };

/** One object and its kind. */
export type CatalogObject = {
  [Kind in ObjectKind]: { readonly kind: Kind; readonly value: Value<Kind> };
}[ObjectKind];

/** The name of an object: its id, or `<app id>/<code>` for a placement. */
export interface ObjectName {
  readonly kind: ObjectKind;
  readonly key: string;
}

/** The key of a placement in tables and on the wire. */
export function placementKey(appId: AppId, code: PlacementCode): string {
  return `${appId}/${code}`;
}

/** The reverse of {@link placementKey}; app ids hold no slash. */
export function splitPlacementKey(key: string): PlacementKey {
  const slash = key.indexOf('/');
  return { appId: key.slice(0, slash) as AppId, code: key.slice(slash + 1) as PlacementCode };
}

/** The key under which an object is held in the table of its kind. */
export function keyOf(object: Exclude<CatalogObject, { kind: 'global' }>): string {
  return object.kind === 'placement' ? placementKey(object.value.appId, object.value.code) : object.value.id;
}

/** The object's name; the global object has no key. */
export function nameOf(object: CatalogObject): ObjectName {
  return { kind: object.kind, key: object.kind === 'global' ? '' : keyOf(object) };
}
