import type {
  Advertiser,
  App,
  AppId,
  Campaign,
  Creative,
  Global,
  Placement,
  PlacementCode,
  PlacementKey,
  Publisher,
} from '../pure/index.js';

/** The type that stands for each kind of object. */
export interface ObjectOf {
  readonly publisher: Publisher;
  readonly app: App;
  readonly placement: Placement;
  readonly advertiser: Advertiser;
  readonly campaign: Campaign;
  readonly creative: Creative;
}

/** One object and its kind. */
export type CatalogObject =
  | { readonly kind: 'global'; readonly value: Global }
  | { [Kind in keyof ObjectOf]: { readonly kind: Kind; readonly value: ObjectOf[Kind] } }[keyof ObjectOf];

/** The name of an object that is no longer there: its id; of a placement `<app id>/<code>`. */
export interface ObjectName {
  readonly kind: keyof ObjectOf | 'global';
  readonly key: string;
}

/** A placement's key in tables and on the wire. */
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
