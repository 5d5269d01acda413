import { keepRunning } from '../background/keep-running.js';
import type { Scope } from '../process/scope.js';
import type { Catalog } from './catalog.js';
import { writeCacheFile } from './cache-file.js';

/** The pause between two writes is at least this many times the duration of the last write: at most 5 % of a core. */
const REST_FACTOR = 20;

/** What {@link keepCacheFile} needs. */
export interface CacheKeeperDeps {
  readonly path: string;
  readonly current: () => Catalog;
  /** Longest time from a change to its write, in milliseconds, while writes are fast. */
  readonly intervalMs: number;
}

/** Keeps the file on disk close behind the catalog in force. */
export interface CacheKeeper {
  /** Notes that the catalog has changed, so that it is written. */
  touch(): void;
}

/**
 * Opens a {@link CacheKeeper}. It writes the last change when the scope closes. A failing disk only causes warnings.
 */
export function keepCacheFile(scope: Scope, { path, current, intervalMs }: CacheKeeperDeps): CacheKeeper {
  let isBehind = false;
  let restUntilMs = -Infinity;
  const write = async (): Promise<void> => {
    isBehind = false;
    const startedAtMs = performance.now();
    try {
      await writeCacheFile(path, current());
    } catch (error) {
      isBehind = true;
      throw error;
    } finally {
      const endedAtMs = performance.now();
      restUntilMs = endedAtMs + (endedAtMs - startedAtMs) * REST_FACTOR;
    }
  };
  keepRunning(scope, {
    name: 'writing the catalog to disk',
    intervalMs,
    run: async (isLast) => {
      if (isBehind && (isLast || performance.now() >= restUntilMs)) await write();
    },
    isRunAtEnd: true,
  });
  return {
    touch() {
      isBehind = true;
    },
  };
}
