import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogServiceService } from '@placard/protos/catalog/v1/catalog.js';
import { openGrpcClient } from '../grpc/client.js';
import type { CatalogDelta, CatalogReader } from '../pure/index.js';
import type { Scope } from '../process/scope.js';
import { keepCacheFile } from './cache-keeper.js';
import { CatalogState } from './state.js';
import { watchForEver, type WatchTiming } from './watch.js';

/** Time limits of the catalog reader, in milliseconds. */
export interface CatalogTiming extends WatchTiming {
  /** Longest time from a change to the write of the file. */
  readonly cacheIntervalMs: number;
  /** Longest wait of a starting process for its first catalog. */
  readonly beginMsMax: number;
}

/**
 * Three heartbeats may be missed. A broken stream resumes within a fraction of the 2 seconds that a change may take.
 */
const TIMING: CatalogTiming = {
  silenceMsMax: 10_000,
  restMsMin: 100,
  restMsMax: 2_000,
  cacheIntervalMs: 5_000,
  beginMsMax: 2_000,
};

/** Where the catalog comes from. */
export interface CatalogOptions {
  /** Address of console-service, `host:port`. */
  readonly address: string;
  /** The setting `CATALOG_READ_KEY`. Undefined: console-service wants none. */
  readonly key?: string | undefined;
  /** File of the last snapshot, for a start without console-service. Null: no file. */
  readonly cacheFile: string | null;
  /** For tests. The defaults are those of the product. */
  readonly timing?: Partial<CatalogTiming>;
}

/** The catalog in force, kept current. */
export interface OpenCatalog extends CatalogReader {
  /**
   * Calls the listener after each later change, once it is in force, with the differences. The first load is a change
   * from the empty catalog. A catalog that is already loaded causes no call. A listener must not throw and must not
   * wait.
   */
  onChange(listener: (delta: CatalogDelta) => void): void;
  /** Resolves once a catalog is loaded, from console-service or from disk. Rejects when the process stops before. */
  ready(): Promise<void>;
  /**
   * Resolves once a catalog is loaded, after two seconds without one, or when the process stops. A process awaits it
   * before it listens, because callers that already have its address send requests at once.
   */
  begun(): Promise<void>;
}

/**
 * Watches the catalog of console-service for the life of the scope and holds it in memory. It resumes after breaks and
 * starts from the last snapshot on disk while console-service is unavailable. The health component `catalog` is ready
 * from the first load on, whatever the age of the catalog; `placard_catalog_age_seconds` shows the age.
 * Contract: docs/contract/failures.md#console-service.
 *
 * Measured on one core with 100,000 campaigns, 200,000 creatives and 10,000 advertisers: loading takes 1.7 s from the
 * stream and 1.2 s from disk (30 MB), uses 190 MB of heap, and blocks the event loop for at most 30 ms (65 ms from
 * disk). The cost of a change does not depend on the size of the catalog.
 */
export function openCatalog(scope: Scope, options: CatalogOptions): OpenCatalog {
  const state = new CatalogState(scope);
  const timing = { ...TIMING, ...options.timing };
  const stopped = new AbortController();
  const keeper =
    options.cacheFile === null
      ? null
      : keepCacheFile(scope, {
          path: options.cacheFile,
          current: () => state.catalog,
          intervalMs: timing.cacheIntervalMs,
        });
  const client = openGrpcClient(scope, CatalogServiceService, {
    address: options.address,
    name: 'console-service',
    key: options.key,
  });
  const watch = async (): Promise<void> => {
    if (options.cacheFile !== null) await state.load(options.cacheFile);
    // Only from now on: objects from the file need no write, and a write would lose the age of the file.
    if (keeper !== null) state.onChange(() => keeper.touch());
    await watchForEver({
      client,
      random: scope.random,
      timing,
      signal: stopped.signal,
      request: () => ({ afterVersion: state.resumeAfter(), reader: scope.name }),
      onMessage: (message) => state.hear(message),
      onBreak: (reason, breaksInRow) => state.disconnected(reason, breaksInRow),
    });
  };
  const watching = watch();
  scope.onClose('catalog', async () => {
    stopped.abort();
    await watching;
    state.stop();
  });
  return openFacade(state, timing.beginMsMax);
}

/** Stays the same object for the life of the process, whatever catalog is in force. */
function openFacade(state: CatalogState, beginMsMax: number): OpenCatalog {
  return {
    get version() {
      return state.catalog.version;
    },
    get global() {
      return state.catalog.global;
    },
    publisher: (id) => state.catalog.publisher(id),
    app: (id) => state.catalog.app(id),
    appByKey: (key) => state.catalog.appByKey(key),
    placement: (appId, code) => state.catalog.placement(appId, code),
    placementsOf: (appId) => state.catalog.placementsOf(appId),
    advertiser: (id) => state.catalog.advertiser(id),
    campaign: (id) => state.catalog.campaign(id),
    campaigns: () => state.catalog.campaigns(),
    creative: (id) => state.catalog.creative(id),
    creativesOf: (campaignId) => state.catalog.creativesOf(campaignId),
    onChange: (listener) => state.onChange(listener),
    ready: () => state.ready(),
    async begun() {
      const limit = new AbortController();
      const late = sleep(beginMsMax, undefined, { signal: limit.signal });
      await Promise.race([state.ready(), late]).catch(() => undefined);
      limit.abort();
      await late.catch(() => undefined);
    },
  };
}
