import { CATALOG_SCHEMA } from './catalog-schema.js';
import type { Field, FieldValueOf } from './catalog-field.js';
import type {
  AdvertiserId,
  AppId,
  AppKey,
  CampaignId,
  CreativeId,
  PlacementCode,
  PublisherId,
} from '../ids.js';

/** A kind of catalog object. */
export type ObjectKind = keyof typeof CATALOG_SCHEMA;

/** A kind of catalog object that is held by id. */
export type CatalogKind = Exclude<ObjectKind, 'global'>;

type FieldsOf<Kind extends ObjectKind> = (typeof CATALOG_SCHEMA)[Kind]['fields'];

/** The fields that readers of the catalog get of a kind, by their names in memory. */
export type ReadFields<Kind extends ObjectKind> = {
  readonly [
    Key in keyof FieldsOf<Kind> as FieldsOf<Kind>[Key] extends { readonly role: 'kept' } ? never : Key
  ]: FieldsOf<Kind>[Key];
};

/** An object of the catalog in memory. */
export type ObjectOf<Kind extends ObjectKind> = {
  readonly [Key in keyof ReadFields<Kind>]: FieldValueOf<ReadFields<Kind>[Key]>;
};

/** What holds for the whole installation; like the following, see {@link CATALOG_SCHEMA} for the fields. */
export type Global = ObjectOf<'global'>;
export type Publisher = ObjectOf<'publisher'>;
export type App = ObjectOf<'app'>;
export type Placement = ObjectOf<'placement'>;
export type Advertiser = ObjectOf<'advertiser'>;
export type Campaign = ObjectOf<'campaign'>;
export type Creative = ObjectOf<'creative'>;

/** Every kind of catalog object, parents before children. */
export const OBJECT_KINDS = Object.keys(CATALOG_SCHEMA) as readonly ObjectKind[];

/** Every kind of catalog object that is held by id, parents before children. */
export const CATALOG_KINDS = OBJECT_KINDS.filter((kind) => kind !== 'global');

/** The fields of a kind with their names in memory, in the order of the file. */
export type NamedFields = readonly (readonly [key: string, field: Field])[];

/** What a function makes of each kind, by kind. */
export function byKind<Made>(make: (kind: ObjectKind) => Made): Readonly<Record<ObjectKind, Made>> {
  return Object.fromEntries(OBJECT_KINDS.map((kind) => [kind, make(kind)])) as Record<ObjectKind, Made>;
}

/** The fields of each kind. */
export const FIELDS = byKind((kind): NamedFields => Object.entries<Field>(CATALOG_SCHEMA[kind].fields));

/** The fields of each kind that readers of the catalog get. */
export const READ_FIELDS = byKind((kind): NamedFields =>
  FIELDS[kind].filter(([, { role }]) => role !== 'kept'),
);

/** The fields of a kind that have a default. */
export type DefaultValues<Kind extends ObjectKind> = {
  readonly [
    Key in keyof ReadFields<Kind> as ReadFields<Kind>[Key] extends { readonly fallback: undefined }
      ? never
      : Key
  ]: FieldValueOf<ReadFields<Kind>[Key]>;
};

/** The fields that have a default, as a new object has them in memory. */
export function defaultValuesOf<Kind extends ObjectKind>(kind: Kind): DefaultValues<Kind> {
  const withDefault = READ_FIELDS[kind].filter(([, { fallback }]) => fallback !== undefined);
  return Object.fromEntries(withDefault.map(([key, { fallback }]) => [key, fallback])) as DefaultValues<Kind>;
}

/** A list that a campaign is targeted by, as `Campaign` names it. */
export type TargetingKey = {
  [Key in keyof Campaign]: Campaign[Key] extends readonly unknown[] ? Key : never;
}[keyof Campaign];

/** Every list that a campaign is targeted by. */
export const TARGETING_KEYS = READ_FIELDS.campaign
  .filter(([, { shape }]) => shape.is === 'list')
  .map(([key]) => key as TargetingKey);

/** Plain domain objects that make up a catalog. */
export interface CatalogObjects {
  readonly global: Global;
  readonly publishers: readonly Publisher[];
  readonly apps: readonly App[];
  readonly placements: readonly Placement[];
  readonly advertisers: readonly Advertiser[];
  readonly campaigns: readonly Campaign[];
  readonly creatives: readonly Creative[];
}

/**
 * The catalog in memory at one version. Every look-up costs the same whatever the number of objects; what is unknown
 * is `undefined`. Objects are never changed in place: another version holds other objects, so that an object may be kept
 * and compared by identity.
 */
export interface CatalogReader {
  /** Version of the last change that is applied; 0 before the first load. Grows with every change. */
  readonly version: number;
  readonly global: Global;
  publisher(id: PublisherId): Publisher | undefined;
  app(id: AppId): App | undefined;
  appByKey(key: AppKey): App | undefined;
  placement(appId: AppId, code: PlacementCode): Placement | undefined;
  /** The app's placements ordered by code; empty for an unknown app. */
  placementsOf(appId: AppId): readonly Placement[];
  advertiser(id: AdvertiserId): Advertiser | undefined;
  campaign(id: CampaignId): Campaign | undefined;
  /** Every campaign of whatever status, in no particular order. */
  campaigns(): Iterable<Campaign>;
  creative(id: CreativeId): Creative | undefined;
  /** The campaign's creatives ordered by id, not approved ones too; empty for an unknown campaign. */
  creativesOf(campaignId: CampaignId): readonly Creative[];
}

/** Ids of one kind that differ between two versions of the catalog. An id is in one of the lists at most, and once. */
export interface KindDelta<Id> {
  /** New objects and those that differ. */
  readonly changed: readonly Id[];
  readonly removed: readonly Id[];
}

/** A placement's name in a delta. */
export interface PlacementKey {
  readonly appId: AppId;
  readonly code: PlacementCode;
}

/** What differs between the version that a listener has seen last and the one that is now in force. */
export interface CatalogDelta {
  readonly version: number;
  readonly isGlobalChanged: boolean;
  readonly publishers: KindDelta<PublisherId>;
  readonly apps: KindDelta<AppId>;
  readonly placements: KindDelta<PlacementKey>;
  readonly advertisers: KindDelta<AdvertiserId>;
  readonly campaigns: KindDelta<CampaignId>;
  readonly creatives: KindDelta<CreativeId>;
}
