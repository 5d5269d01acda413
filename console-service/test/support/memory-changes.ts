import type { CatalogRow } from '../../src/catalog/domain/catalog-object.js';
import type { CatalogStore } from '../../src/catalog/store/catalog-store.js';

/** What readers follow of a catalog store, in memory. */
export class MemoryChanges implements Pick<CatalogStore, 'readVersion' | 'readChanges'> {
  /** After which version each read of changes asked. */
  readonly reads: number[] = [];
  /** Makes every call fail. */
  isDown = false;
  #version = 1;
  #rows: readonly CatalogRow[] = [];

  readVersion(): Promise<number> {
    return this.isDown ? Promise.reject(new Error('down')) : Promise.resolve(this.#version);
  }

  readChanges(
    afterVersion: number,
  ): Promise<{ readonly version: number; readonly rows: readonly CatalogRow[] }> {
    if (this.isDown) return Promise.reject(new Error('down'));
    this.reads.push(afterVersion);
    const rows = this.#rows.filter(({ version }) => version > afterVersion);
    return Promise.resolve({ version: this.#version, rows });
  }

  /** Makes the rows the newest of their objects, as of `version`. */
  set(version: number, ...rows: readonly CatalogRow[]): void {
    const ids = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
    this.#rows = [...this.#rows.filter(({ kind, id }) => !ids.has(`${kind} ${id}`)), ...rows];
    this.#version = version;
  }

  /** Has these rows alone, as after a restore of the database. */
  restore(version: number, ...rows: readonly CatalogRow[]): void {
    this.#rows = rows;
    this.#version = version;
  }
}
