import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startProduct, type Topology } from '@placard/local';
import { openTestDatabase } from '@placard/service-kit/testing/stores';
import { openFaultProxy } from '../failure/faults/fault-proxy.js';
import type { FaultProxy } from '../failure/faults/fault-proxy.js';
import { openBalancer } from './balancer.js';

/**
 * The instances that the tests share. Each is started once, when its first suite begins:
 * `plain` has all defaults; `fraud` does not limit the requests of a session, so that hourly fraud rules are reached in
 * seconds; `short` has lifetimes of seconds and small limits; `faults` connects to its stores through proxies that can be cut;
 * `cluster` has two of every process and a Redis Cluster of three masters, and all other defaults.
 * Their time zones differ, because no answer may depend on them.
 */
export type Flavour = 'plain' | 'fraud' | 'short' | 'faults' | 'cluster';

/** Lifetimes of the `short` instance. */
export const SHORT = { sessionSeconds: 6, adSeconds: 2, windowSeconds: 2, clickDelayMs: 300 } as const;

/** Limits of the `short` instance that differ from the contract's. */
export const SMALL_LIMITS = { initializeAppKey: 60, adsNetwork: 80, adsAppKey: 90, network: 70 } as const;

/** A running product. */
export interface Product {
  /** URL of the gateway, or of a balancer in front of several gateways. */
  readonly url: string;
  /** URLs of the gateways. */
  readonly gatewayUrls: readonly string[];
  /** Value of PLACARD_ADDRESS. */
  readonly consoleAddress: string;
  readonly pids: Readonly<Record<string, number>>;
  readonly dataDir: string;
  /** The database, through the proxy where there is one. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  kill(name: string): Promise<void>;
  restart(name: string): Promise<void>;
  /** The proxy in front of Postgres; null except for `faults`. */
  readonly postgres: FaultProxy | null;
  readonly redis: FaultProxy | null;
  stop(): Promise<void>;
}

const SETTINGS: Readonly<Record<Flavour, Readonly<Record<string, string>>>> = {
  plain: { TZ: 'America/New_York', COUNTRY_HEADER: 'x-country' },
  fraud: {
    TZ: 'Pacific/Auckland',
    FRAUD_RULES: JSON.stringify({ ad_requests_per_minute: 100_000 }),
    RATE_LIMITS: JSON.stringify({ 'ads.request': { session: 0 } }),
    // A session that shows 60 ads an hour requests all of them first.
    OPEN_FILLS_MAX: '0',
  },
  short: {
    TZ: 'Asia/Kolkata',
    SESSION_TTL_SECONDS: String(SHORT.sessionSeconds),
    AD_TTL_SECONDS: String(SHORT.adSeconds),
    EVENT_WINDOW_SECONDS: String(SHORT.windowSeconds),
    MIN_CLICK_DELAY_MS: String(SHORT.clickDelayMs),
    RATE_LIMITS: JSON.stringify({
      'sdk.initialize': { app_key: SMALL_LIMITS.initializeAppKey },
      'ads.request': { network: SMALL_LIMITS.adsNetwork, app_key: SMALL_LIMITS.adsAppKey },
      events: { network: SMALL_LIMITS.network },
      'events.fallback': { network: SMALL_LIMITS.network },
    }),
  },
  faults: { TZ: 'UTC' },
  cluster: { TZ: 'America/New_York', COUNTRY_HEADER: 'x-country' },
};

/** Topologies of instances with more than one replica of a process. */
const TOPOLOGIES: Readonly<Partial<Record<Flavour, Topology>>> = {
  cluster: { replicas: 2, redisCluster: { masters: 3, replicasOfEach: 0 } },
};

/** Redis databases of the instances. Number 0 is not used, because tests of single services empty it. */
const REDIS_NUMBERS: Readonly<Record<Exclude<Flavour, 'cluster'>, number>> = {
  plain: 11,
  fraud: 12,
  short: 13,
  faults: 14,
};

const running = new Map<Flavour, Promise<Product>>();
const users = new Map<Flavour, number>();

/** Registers, at load time, one more suite that will use the instance. */
export function claimProduct(flavour: Flavour): void {
  users.set(flavour, (users.get(flavour) ?? 0) + 1);
}

/** The instance, started on first use. */
export function productOf(flavour: Flavour): Promise<Product> {
  let product = running.get(flavour);
  if (product === undefined) {
    product = open(flavour);
    running.set(flavour, product);
  }
  return product;
}

/** Ends the use by one suite. The last one stops the instance. */
export async function releaseProduct(flavour: Flavour): Promise<void> {
  const left = (users.get(flavour) ?? 1) - 1;
  users.set(flavour, left);
  if (left === 0) await stop(flavour);
}

/** Stops all instances that still run. A suite that was filtered out never releases its claim. */
export async function stopAllProducts(): Promise<void> {
  await Promise.all([...running.keys()].map((flavour) => stop(flavour)));
}

async function stop(flavour: Flavour): Promise<void> {
  const product = running.get(flavour);
  running.delete(flavour);
  // An instance that failed to start has nothing to stop. Its suites have reported the failure.
  await (await product?.catch(() => undefined))?.stop();
}

async function open(flavour: Flavour): Promise<Product> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), `placard-${flavour}-`));
  const catalog = path.join(dataDir, 'empty-catalog.json');
  await writeFile(catalog, '{}');
  const stores = await openStores(flavour);
  const env = { ...SETTINGS[flavour], DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
  const topology = TOPOLOGIES[flavour];
  const started = await startProduct({ env, catalog, dataDir, topology });
  const { gatewayUrls, redisUrl } = started.addresses;
  const places = gatewayUrls.map((url) => ({ port: Number(new URL(url).port), readyUrl: null }));
  const balancer = places.length > 1 ? await openBalancer(places) : null;
  return {
    url: balancer === null ? started.gatewayUrl : `http://127.0.0.1:${balancer.port}`,
    gatewayUrls,
    consoleAddress: started.consoleAddress,
    get pids() {
      return started.pids;
    },
    dataDir,
    databaseUrl: stores.databaseUrl,
    redisUrl,
    kill: (name) => started.kill(name),
    restart: (name) => started.restart(name),
    postgres: stores.postgres,
    redis: stores.redis,
    stop: async () => {
      await balancer?.close();
      await started.stop();
      await stores.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly postgres: FaultProxy | null;
  readonly redis: FaultProxy | null;
  close(): Promise<void>;
}

/** Opens the instance's own database on the test server and its own number on the test Redis. */
async function openStores(flavour: Flavour): Promise<Stores> {
  const database = await openTestDatabase({ migrations: [] });
  if (flavour === 'cluster') {
    // Empty: the product starts the cluster itself.
    const close = (): Promise<void> => database.drop();
    return { databaseUrl: database.url, redisUrl: '', postgres: null, redis: null, close };
  }
  const redisUrl = new URL(process.env['TEST_REDIS_URL'] ?? '');
  redisUrl.pathname = `/${REDIS_NUMBERS[flavour]}`;
  if (flavour !== 'faults') {
    const close = (): Promise<void> => database.drop();
    return { databaseUrl: database.url, redisUrl: redisUrl.href, postgres: null, redis: null, close };
  }
  const postgres = await proxied(database.url);
  const redis = await proxied(redisUrl.href);
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    postgres: postgres.proxy,
    redis: redis.proxy,
    close: async () => {
      await Promise.all([postgres.proxy.close(), redis.proxy.close()]);
      await database.drop();
    },
  };
}

/** Opens a proxy in front of the store; `url` leads through it. */
async function proxied(storeUrl: string): Promise<{ proxy: FaultProxy; url: string }> {
  const url = new URL(storeUrl);
  const proxy = await openFaultProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}
