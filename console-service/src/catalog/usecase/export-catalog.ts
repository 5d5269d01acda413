import { exportTree, type ExportTree } from '../domain/export-tree.js';
import type { CatalogStore } from '../store/catalog-store.js';

/** Reads the stored catalog, nested like a catalog file. Contract: docs/cli.md#catalog-export. */
export type ExportCatalog = () => Promise<ExportTree>;

/** Makes {@link ExportCatalog}. */
export function makeExportCatalog(store: Pick<CatalogStore, 'readAll'>): ExportCatalog {
  return async () => exportTree(await store.readAll());
}
