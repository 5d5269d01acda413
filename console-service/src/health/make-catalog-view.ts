import { makeCatalog } from '@placard/service-kit/catalog-reader';
import type { ObjectKind, ObjectOf } from '@placard/service-kit/pure';
import type { CatalogRow } from '../catalog/domain/catalog-object.js';
import { toValue } from '../catalog/domain/to-value.js';
import type { CatalogFeed } from '../catalog/usecase/catalog-feed.js';
import type { HealthCatalog } from './usecase/find-concerns.js';

/** Makes a function that reads the catalog in force. It is built again when the catalog has changed. */
export function makeCatalogView(feed: Pick<CatalogFeed, 'version' | 'snapshot'>): () => HealthCatalog {
  let built: { readonly version: number; readonly view: HealthCatalog } | null = null;
  return () => {
    if (built?.version !== feed.version) {
      const { version, rows } = feed.snapshot();
      built = { version, view: build(rows) };
    }
    return built.view;
  };
}

function build(rows: readonly CatalogRow[]): HealthCatalog {
  const byKind = new Map<ObjectKind, CatalogRow[]>();
  for (const row of rows) {
    const known = byKind.get(row.kind);
    if (known === undefined) byKind.set(row.kind, [row]);
    else known.push(row);
  }
  const valuesOf = <Kind extends ObjectKind>(kind: Kind): ObjectOf<Kind>[] =>
    (byKind.get(kind) ?? []).map((row) => toValue(kind, row));
  const apps = valuesOf('app');
  const catalog = makeCatalog({
    publishers: valuesOf('publisher'),
    apps,
    placements: valuesOf('placement'),
    advertisers: valuesOf('advertiser'),
    campaigns: valuesOf('campaign'),
    creatives: valuesOf('creative'),
  });
  return { catalog, apps };
}
