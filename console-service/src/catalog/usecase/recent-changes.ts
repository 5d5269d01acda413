import { objectKey, type CatalogRow } from '../domain/catalog-object.js';

const ROWS_KEPT_MAX = 5_000;
const STEPS_KEPT_MAX = 200;

interface Step {
  readonly version: number;
  readonly rows: readonly CatalogRow[];
}

/** The last changes in their order, so that sending them to a reader needs no search of the whole catalog. */
export class RecentChanges {
  #beginsAt: number;
  #steps: Step[] = [];
  #rowCount = 0;

  /** Starts at `version` without any steps. */
  constructor(version: number) {
    this.#beginsAt = version;
  }

  /** Adds the rows of the step to `version` and drops the oldest steps. */
  add(version: number, rows: readonly CatalogRow[]): void {
    this.#steps.push({ version, rows });
    this.#rowCount += rows.length;
    while (this.#rowCount > ROWS_KEPT_MAX || this.#steps.length > STEPS_KEPT_MAX) {
      const oldest = this.#steps.shift();
      if (oldest === undefined) break;
      this.#rowCount -= oldest.rows.length;
      this.#beginsAt = oldest.version;
    }
  }

  /** Every object that changed after a version, once, in its current state; null when a step since then was dropped. */
  since(version: number): CatalogRow[] | null {
    if (version < this.#beginsAt) return null;
    const rows = new Map<string, CatalogRow>();
    for (const step of this.#steps) {
      if (step.version <= version) continue;
      // A step that was read late holds several changes. The reader may have the first of them.
      for (const row of step.rows) if (row.version > version) rows.set(objectKey(row.kind, row.id), row);
    }
    return [...rows.values()];
  }
}
