import { exportTree, type ExportTree } from '../domain/export-tree.js';
import type { CatalogStore } from '../store/catalog-store.js';

/** The stored catalog, nested like a catalog file, and its version. */
export interface CatalogExport {
  readonly version: number;
  readonly tree: ExportTree;
}

/** Reads the stored catalog. Contract: docs/cli.md#catalog-export. */
export type ExportCatalog = () => Promise<CatalogExport>;

/** Makes {@link ExportCatalog}. */
export function makeExportCatalog(store: Pick<CatalogStore, 'readAll'>): ExportCatalog {
  return async () => {
    const { version, objects } = await store.readAll();
    return { version, tree: exportTree(objects) };
  };
}
