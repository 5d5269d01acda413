import type { CatalogObjects, CatalogReader } from '../pure/index.js';
import { applyChanges } from './apply.js';
import { Catalog } from './catalog.js';
import { DeltaBuilder } from './delta.js';
import type { CatalogObject } from './object.js';

/** The objects of a catalog as one list, parents before children. */
export function listObjects(objects: Partial<CatalogObjects>): CatalogObject[] {
  const { global, publishers, apps, placements, advertisers, campaigns, creatives } = objects;
  return [
    ...(global === undefined ? [] : [{ kind: 'global', value: global } as const]),
    ...(publishers ?? []).map((value) => ({ kind: 'publisher', value }) as const),
    ...(apps ?? []).map((value) => ({ kind: 'app', value }) as const),
    ...(placements ?? []).map((value) => ({ kind: 'placement', value }) as const),
    ...(advertisers ?? []).map((value) => ({ kind: 'advertiser', value }) as const),
    ...(campaigns ?? []).map((value) => ({ kind: 'campaign', value }) as const),
    ...(creatives ?? []).map((value) => ({ kind: 'creative', value }) as const),
  ];
}

/** A catalog at version 1 that holds these objects and does not change; references are not checked. */
export function makeCatalog(objects: Partial<CatalogObjects>): CatalogReader {
  const catalog = new Catalog();
  applyChanges(catalog, { deletions: [], upserts: listObjects(objects) }, new DeltaBuilder());
  catalog.version = 1;
  return catalog;
}
