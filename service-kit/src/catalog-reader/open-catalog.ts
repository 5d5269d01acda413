import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogServiceService } from '@placard/protos/catalog/v1/catalog.js';
import { openGrpcClient } from '../grpc/client.js';
import type { CatalogDelta, CatalogReader } from '../pure/index.js';
import type { Scope } from '../process/scope.js';
import { CacheKeeper } from './cache-keeper.js';
import { CatalogState } from './state.js';
import { watchForEver, type WatchTiming } from './watch.js';

/** Waits of the catalog reader, in milliseconds. */
export interface CatalogTiming extends WatchTiming {
  /** Shortest rest between two writings of the file. */
  readonly cacheIntervalMs: number;
  /** Longest that a process that begins waits for its first catalog. */
  readonly beginMsMax: number;
}

/** Three heartbeats may be missed; a broken stream is resumed within a fraction of the 2 seconds that a change may take. */
const TIMING: CatalogTiming = {
  silenceMsMax: 10_000,
  restMsMin: 100,
  restMsMax: 2_000,
  cacheIntervalMs: 5_000,
  beginMsMax: 2_000,
};

/** Where the catalog comes from. */
export interface CatalogOptions {
  /** Of console-service, `host:port`. */
  readonly address: string;
  /** Where the last snapshot is kept for a start without console-service. Null: nowhere. */
  readonly cacheFile: string | null;
  /** For tests; the defaults are the product's. */
  readonly timing?: Partial<CatalogTiming>;
}

/** The catalog in force, kept current. */
export interface OpenCatalog extends CatalogReader {
  /**
   * Calls back after each later change, when it is in force, with what differs; the first load is a change from the
   * empty catalog. What is loaded already is not told again. A listener must not throw and must not wait.
   */
  onChange(listener: (delta: CatalogDelta) => void): void;
  /** Resolves once a catalog is loaded, be it from console-service or from disk; rejects when the process stops first. */
  ready(): Promise<void>;
  /**
   * Resolves once a catalog is loaded, or without one after two seconds or when the process stops. Awaited before a process
   * listens: callers that know its address from before ask at once.
   */
  begun(): Promise<void>;
}

/**
 * Watches console-service's catalog for the life of the scope and holds it in memory. Resumes after breaks, starts from
 * the last snapshot on disk while console-service is away, and is ready (health component `catalog`) from the first
 * load on, however old what it holds may be: `placard_catalog_age_seconds` says so.
 * Contract: docs/contract/failures.md#console-service.
 *
 * Measured on one core with 100,000 campaigns, 200,000 creatives and 10,000 advertisers: loaded in 1.7 s from the stream
 * and 1.2 s from disk (30 MB), 190 MB of heap, the event loop never held for more than 30 ms (65 ms from disk); a change
 * costs what it touches, whatever the size of the catalog.
 */
export function openCatalog(scope: Scope, options: CatalogOptions): OpenCatalog {
  const state = new CatalogState(scope);
  const timing = { ...TIMING, ...options.timing };
  const stopped = new AbortController();
  const keeper =
    options.cacheFile === null
      ? null
      : new CacheKeeper({
          path: options.cacheFile,
          current: () => state.catalog,
          log: scope.log,
          intervalMs: timing.cacheIntervalMs,
        });
  const client = openGrpcClient(scope, CatalogServiceService, {
    address: options.address,
    name: 'console-service',
  });
  const watch = async (): Promise<void> => {
    if (options.cacheFile !== null) await state.load(options.cacheFile);
    // Only from now on: what came from the file need not go back, and its age must not be lost.
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
    await keeper?.close();
  });
  return openFacade(state, timing.beginMsMax);
}

/** One object for the life of the process, whatever catalog is in force behind it. */
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
