import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  startProduct,
  type Ports,
  type Product,
  type ReplicaPorts,
  type Routes,
  type Topology,
} from '@placard/local';
import type { Pool } from '@placard/service-kit/postgres';
import { makeTestRandom } from '@placard/service-kit/testing';
import { openBalancer, type Balancer, type Place } from '../driver/balancer.js';
import type { CatalogEntry } from '../driver/catalog.js';
import { databaseUrlOf } from '../driver/database.js';
import { runPlacard } from '../driver/placard.js';
import { Book } from './book.js';
import { Client, type OnExchanged, type OnTrouble } from './client.js';
import { Clocks } from './faults/clocks.js';
import type { LedgerFacts } from './comparison.js';
import type { Victim } from './faults/injector.js';
import { openTables, readFacts, readFailedChecks } from './ledger-facts.js';
import { Links, TWICE } from './faults/links.js';
import { servicePids } from './faults/processes.js';
import { makeMarket, type Market } from './market.js';
import { readHeldAtEnd, type Budgets } from './money-back.js';
import { Traffic } from './traffic.js';

/**
 * Distance from the end of an ad within which two copies of an impression may get different answers: the clocks of
 * serving-service and events-service may each be off by 5 s, and an answer takes up to 5 s.
 */
const CLOCKS_OFF_MS = 15_000;

/** Options of a product under faults. */
export interface RigOptions {
  readonly seed: number;
  /** Scale of the budgets; 1 suits half a minute of traffic. */
  readonly scale: number;
  /** Life of an ad in seconds. */
  readonly adTtlSeconds: number;
  readonly adsPerSecond: number;
  readonly holdMsMax: number;
  /** A topology without proxies; default: proxies in all connections, and two replicas of each process in `TWICE`. */
  readonly topology?: Topology;
  /** Further settings of the processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Receives a description of every request of the phones with a 5xx or without an answer. */
  readonly onTrouble?: OnTrouble;
  /** Receives every request of the phones. */
  readonly onExchanged?: OnExchanged;
}

/** A whole product with its own stores, proxies in all its connections, phones and their book. */
export interface Rig extends Victim, Budgets {
  readonly market: Market;
  readonly book: Book;
  readonly traffic: Traffic;
  /** The URL for the phones' requests. */
  readonly url: string;
  /** The product's own database, without a proxy. */
  readonly tables: Pool;
  /** The balancer in front of a service's processes, by service; empty without a `topology`. */
  readonly balancers: ReadonlyMap<string, Balancer>;
  /** Sends one deposit for an advertiser; false: it must be sent again. */
  deposit(advertiserId: string, amount: string, reference: string): Promise<boolean>;
  /** Applies a change of the catalog; false: it must be applied again. */
  apply(catalog: CatalogEntry): Promise<boolean>;
  /** Number of calls that a process, such as `serving-service-2`, has served for other processes. */
  served(name: string): Promise<number>;
  /** The sum of a metric's values in all processes. */
  sumOf(metric: string): Promise<number>;
  /** Waits for settlement and reads the product's data. */
  facts(): Promise<LedgerFacts>;
  /** The same when every ad is over. serving-service is down until then. */
  factsAtEnd(): Promise<LedgerFacts>;
  close(): Promise<void>;
}

/** Starts a rig with the product's built-in stores. They write to disk synchronously, so accepted events are durable. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'placard-failure-'));
  await chmod(dataDir, 0o711);
  const closers: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    return await openRigIn(dataDir, closers, options);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Closes everything in reverse order. A failure does not keep the rest open. */
async function closeAll(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of [...closers].reverse()) await close().catch(() => undefined);
}

async function openRigIn(
  dataDir: string,
  closers: (() => Promise<unknown>)[],
  options: RigOptions,
): Promise<Rig> {
  const market = makeMarket(options.scale);
  const catalog = path.join(dataDir, 'market.json');
  await writeFile(catalog, JSON.stringify(market.file));
  const links = new Links();
  closers.push(() => links.close());
  const clocks = new Clocks(dataDir);
  const { topology } = options;
  const balancers = new Map<string, Balancer>();
  const balance = makeBalance(balancers, closers);
  let metrics: ReadonlyMap<string, number> = new Map();
  const product = await startProduct({
    dataDir,
    catalog,
    // Empty: the product starts its own stores, even when the tests have others.
    env: {
      DATABASE_URL: '',
      REDIS_URL: '',
      AD_TTL_SECONDS: String(options.adTtlSeconds),
      ...clocks.env,
      ...options.env,
    },
    routes: (chosen, more) => {
      metrics = metricsPorts([chosen, ...more]);
      clocks.know(metrics);
      return topology === undefined
        ? links.open(chosen, more[0]!)
        : balanceConsoles([chosen, ...more], balance);
    },
    topology: topology ?? { replicas: 2, replicated: TWICE, redisCluster: null },
  });
  closers.push(() => product.stop());
  const tables = openTables(await databaseUrlOf(dataDir));
  closers.push(() => tables.end());
  const url = topology === undefined ? product.gatewayUrl : await balanceGateways(product, balance);
  const book = new Book({ adTtlMs: options.adTtlSeconds * 1_000, withinMs: CLOCKS_OFF_MS });
  const client = new Client(url, options.onTrouble, options.onExchanged);
  closers.push(() => {
    client.close();
    return Promise.resolve();
  });
  const random = makeTestRandom(options.seed + 1);
  const budgets = { product, clocks, adTtlSeconds: options.adTtlSeconds };
  return {
    ...budgets,
    links,
    market,
    tables,
    url,
    book,
    balancers,
    traffic: new Traffic({ client, book, random, apps: market.apps }, options),
    ...operatorOf(product, dataDir),
    served: (name) => readSum(metrics.get(name), 'placard_rpc_server_seconds_count'),
    sumOf: async (metric) => {
      const running = Object.keys(servicePids(dataDir)).filter((name) => metrics.has(name));
      const sums = await Promise.all(running.map((name) => readSum(metrics.get(name), metric)));
      return sums.reduce((sum, each) => sum + each, 0);
    },
    facts: () => readFacts(product.consoleAddress, tables),
    factsAtEnd: () => readFactsAtEnd(budgets, tables),
    close: () => closeAll(closers),
  };
}

/** Runs the `placard` command. */
function operatorOf(product: Product, dataDir: string): Pick<Rig, 'deposit' | 'apply'> {
  const isDone = async (args: readonly string[]): Promise<boolean> =>
    (await runPlacard(product.consoleAddress, args)).status === 0;
  return {
    deposit: (advertiserId, amount, reference) =>
      isDone(['advertiser', 'deposit', advertiserId, amount, '--reference', reference]),
    async apply(change) {
      const file = path.join(dataDir, 'change.json');
      await writeFile(file, JSON.stringify(change));
      return isDone(['catalog', 'apply', file]);
    },
  };
}

/**
 * Waits for settlement and reads everything. Then lets all unspent money be returned and verifies the ledger again. Faults of
 * the second verification follow those of the first.
 */
export async function readFactsAtEnd(budgets: Budgets, tables: Pool): Promise<LedgerFacts> {
  const { consoleAddress } = budgets.product;
  const facts = await readFacts(consoleAddress, tables);
  const held = await readHeldAtEnd(budgets, tables);
  const failedAtEnd = await readFailedChecks(consoleAddress);
  return { ...facts, held, failedChecks: [...facts.failedChecks, ...failedAtEnd] };
}

/** Metrics ports by name of the process. */
function metricsPorts(all: readonly (Ports | ReplicaPorts)[]): ReadonlyMap<string, number> {
  const named = all.flatMap((ports, index) =>
    Object.entries(ports)
      .filter(([name]) => name.endsWith('.metrics'))
      .map(([name, port]) => {
        const service = name.replace('.metrics', '');
        return [index === 0 ? service : `${service}-${index + 1}`, port] as const;
      }),
  );
  return new Map(named);
}

/** The sum of a metric's values in one process. */
async function readSum(port: number | undefined, metric: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = text.matchAll(new RegExp(`^${metric}\\{.*\\} (\\d+)$`, 'gm'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

type Balance = (service: string, places: readonly Place[]) => Promise<number>;

function makeBalance(balancers: Map<string, Balancer>, closers: (() => Promise<unknown>)[]): Balance {
  return async (service, places) => {
    const balancer = await openBalancer(places);
    closers.push(() => balancer.close());
    balancers.set(service, balancer);
    return balancer.port;
  };
}

/** Opens a balancer in front of the creative files, because the gateways have one URL for them. */
async function balanceConsoles(all: readonly Ports[], balance: Balance): Promise<Routes> {
  const places = all.map((ports) => ({
    port: ports['console-service.http'],
    readyUrl: `http://127.0.0.1:${ports['console-service.metrics']}/readyz`,
  }));
  return { gateway: { 'console-service.http': await balance('console-service', places) } };
}

async function balanceGateways(product: Product, balance: Balance): Promise<string> {
  const places = product.addresses.gatewayUrls.map((url) => ({
    port: Number(new URL(url).port),
    readyUrl: `${url}/readyz`,
  }));
  return `http://127.0.0.1:${await balance('gateway', places)}`;
}
