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

/** A kind of catalog object that has an id. */
export type CatalogKind = Exclude<ObjectKind, 'global'>;

type FieldsOf<Kind extends ObjectKind> = (typeof CATALOG_SCHEMA)[Kind]['fields'];

/** The fields of a kind that readers of the catalog get, by their names in memory. */
export type ReadFields<Kind extends ObjectKind> = {
  readonly [
    Key in keyof FieldsOf<Kind> as FieldsOf<Kind>[Key] extends { readonly role: 'kept' } ? never : Key
  ]: FieldsOf<Kind>[Key];
};

/** An object of the catalog in memory. */
export type ObjectOf<Kind extends ObjectKind> = {
  readonly [Key in keyof ReadFields<Kind>]: FieldValueOf<ReadFields<Kind>[Key]>;
};

/**
 * Settings of the whole installation. {@link CATALOG_SCHEMA} describes the fields of this type and the following ones.
 */
export type Global = ObjectOf<'global'>;
export type Publisher = ObjectOf<'publisher'>;
export type App = ObjectOf<'app'>;
export type Placement = ObjectOf<'placement'>;
export type Advertiser = ObjectOf<'advertiser'>;
export type Campaign = ObjectOf<'campaign'>;
export type Creative = ObjectOf<'creative'>;

/** Every kind of catalog object, parents before children. */
export const OBJECT_KINDS = Object.keys(CATALOG_SCHEMA) as readonly ObjectKind[];

/** Every kind of catalog object that has an id, parents before children. */
export const CATALOG_KINDS = OBJECT_KINDS.filter((kind) => kind !== 'global');

/** The fields of a kind with their names in memory, in the order of the file. */
export type NamedFields = readonly (readonly [key: string, field: Field])[];

/** Calls a function for each kind and collects the results by kind. */
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

/** The default values of a new object of a kind, as they are in memory. */
export function defaultValuesOf<Kind extends ObjectKind>(kind: Kind): DefaultValues<Kind> {
  const withDefault = READ_FIELDS[kind].filter(([, { fallback }]) => fallback !== undefined);
  return Object.fromEntries(withDefault.map(([key, { fallback }]) => [key, fallback])) as DefaultValues<Kind>;
}

/** A targeting list, by its name in `Campaign`. */
export type TargetingKey = {
  [Key in keyof Campaign]: Campaign[Key] extends readonly unknown[] ? Key : never;
}[keyof Campaign];

/** Every targeting list. */
export const TARGETING_KEYS = READ_FIELDS.campaign
  .filter(([, { shape }]) => shape.is === 'list')
  .map(([key]) => key as TargetingKey);

/** The objects of a catalog by kind. */
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
 * The catalog in memory at one version. The cost of a look-up does not depend on the number of objects. An unknown id
 * gives `undefined`. Objects never change in place: a change replaces them. So a caller may keep an object and compare
 * it by identity.
 */
export interface CatalogReader {
  /** Version of the last applied change; 0 before the first load. It grows with every change. */
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
  /** All campaigns, with any status, in no particular order. */
  campaigns(): Iterable<Campaign>;
  creative(id: CreativeId): Creative | undefined;
  /** The campaign's creatives ordered by id, approved or not; empty for an unknown campaign. */
  creativesOf(campaignId: CampaignId): readonly Creative[];
}

/** Ids of one kind that differ between two versions of the catalog. An id is in at most one of the lists, once. */
export interface KindDelta<Id> {
  /** Ids of new objects and of changed objects. */
  readonly changed: readonly Id[];
  readonly removed: readonly Id[];
}

/** The name of a placement in a delta. */
export interface PlacementKey {
  readonly appId: AppId;
  readonly code: PlacementCode;
}

/** The differences between the last version that a listener has received and the version in force. */
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
