import { makeSingleFlight } from '@placard/service-kit/background';
import { objectKey, type CatalogRow } from '../domain/catalog-object.js';
import type { CatalogStore } from '../store/catalog-store.js';
import { RecentChanges } from './recent-changes.js';

/** Most rows of one change set. For more changes a snapshot is cheaper, and readers put it into force at once. */
export const CHANGED_ROWS_MAX = 5_000;

/** The changes up to a version. */
export interface FeedChanges {
  readonly version: number;
  readonly rows: readonly CatalogRow[];
}

/**
 * The catalog in memory, for the readers that watch it. Each console-service reads Postgres once per change, however many
 * readers it has, and serves readers while Postgres is away.
 * Contract: docs/contract/sessions-and-switches.md#changes-reach-everyone.
 */
export class CatalogFeed {
  readonly #store: Pick<CatalogStore, 'readVersion' | 'readChanges'>;
  #rows = new Map<string, CatalogRow>();
  #recent = new RecentChanges(0);
  #version = 0;
  readonly #refreshing = makeSingleFlight(() => this.#refreshOnce());
  readonly #waiting = new Set<() => void>();

  constructor(store: Pick<CatalogStore, 'readVersion' | 'readChanges'>) {
    this.#store = store;
  }

  /** Version of the last change that is in memory; 0 before the first load. */
  get version(): number {
    return this.#version;
  }

  /**
   * Reads the changes that were stored before this call. Calls during a read share the next one. Rejects when the store cannot
   * be read: then the content stays.
   */
  refresh(): Promise<void> {
    return this.#refreshing.run();
  }

  /** All objects that are not removed, at one version. */
  snapshot(): FeedChanges {
    const rows = [...this.#rows.values()].filter((row) => !row.isRemoved);
    return { version: this.#version, rows };
  }

  /** The changes after a version, including tombstones; null when a snapshot is needed. */
  since(version: number): FeedChanges | null {
    if (version === this.#version) return { version, rows: [] };
    if (version <= 0 || version > this.#version) return null;
    const rows = this.#recent.since(version) ?? this.#scan(version);
    return rows.length > CHANGED_ROWS_MAX ? null : { version: this.#version, rows };
  }

  /** Resolves to true once the version in memory is another one, to false after `waitMs` or when `signal` aborts. */
  async waitForChange(version: number, waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#version !== version || signal.aborted) return this.#version !== version;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
    return this.#version !== version;
  }

  #scan(version: number): CatalogRow[] {
    return [...this.#rows.values()].filter((row) => row.version > version);
  }

  async #refreshOnce(): Promise<void> {
    const stored = await this.#store.readVersion();
    if (stored === this.#version) return;
    // A lower version: the database was restored from a backup, and everything in memory may be wrong.
    const isRestored = stored < this.#version;
    const { version, rows } = await this.#store.readChanges(isRestored ? 0 : this.#version);
    if (isRestored || this.#version === 0) {
      this.#rows = new Map(rows.map((row) => [objectKey(row.kind, row.id), row]));
      this.#recent = new RecentChanges(version);
    } else {
      for (const row of rows) this.#rows.set(objectKey(row.kind, row.id), row);
      this.#recent.add(version, rows);
    }
    this.#version = version;
    for (const resolveWait of [...this.#waiting]) resolveWait();
  }
}
