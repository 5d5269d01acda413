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
import { Client } from './client.js';
import { Clocks } from './clocks.js';
import type { LedgerFacts } from './comparison.js';
import type { Victim } from './injector.js';
import { openTables, readFacts, readFailedChecks } from './ledger-facts.js';
import { Links, TWICE } from './links.js';
import { makeMarket, type Market } from './market.js';
import { readHeldAtEnd, type Budgets } from './money-back.js';
import { Traffic } from './traffic.js';

/**
 * The clocks of who sold an ad and of who judges its impression may each be off by 5 s, and an answer takes up to 5 s: so
 * far around the end of an ad two copies of an impression may be judged apart.
 */
const CLOCKS_OFF_MS = 15_000;

/** How a product is set up to be hurt. */
export interface RigOptions {
  readonly seed: number;
  /** How much may be spent: 1 suits half a minute of traffic. */
  readonly scale: number;
  /** Life of an ad in seconds. */
  readonly adTtlSeconds: number;
  readonly adsPerSecond: number;
  readonly holdMsMax: number;
  /** Reached directly and not through proxies; none: through proxies, and two of what `TWICE` names. */
  readonly topology?: Topology;
  /** Settings of the processes beside the ads' life. */
  readonly env?: Readonly<Record<string, string>>;
  /** Is told of every request of the phones that got no answer, or a 5xx. */
  readonly onTrouble?: (what: string) => void;
}

/** A whole product with stores of its own, proxies in all its connections, phones and their book. */
export interface Rig extends Victim, Budgets {
  readonly market: Market;
  readonly book: Book;
  readonly traffic: Traffic;
  /** Where the phones send their requests. */
  readonly url: string;
  /** The product's own database, past the proxies. */
  readonly tables: Pool;
  /** By service, what stands before its processes; empty without a `topology`. */
  readonly balancers: ReadonlyMap<string, Balancer>;
  /** Pays in for an advertiser, again and again until it is booked. */
  deposit(advertiserId: string, amount: string, reference: string): Promise<boolean>;
  /** Applies a change of the catalog; false: it has to be applied again. */
  apply(catalog: CatalogEntry): Promise<boolean>;
  /** Waits for settlement and reads what the product says then. */
  facts(): Promise<LedgerFacts>;
  /** The same when every ad is over: until then, serving-service is down. */
  factsAtEnd(): Promise<LedgerFacts>;
  close(): Promise<void>;
}

/** Starts it. The stores are the product's built-in ones, forced to disk: what was accepted is durable. */
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

/** In reverse; what cannot be closed does not keep the rest open. */
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
  const balance = async (service: string, places: readonly Place[]): Promise<number> => {
    const balancer = await openBalancer(places);
    closers.push(() => balancer.close());
    balancers.set(service, balancer);
    return balancer.port;
  };
  const product = await startProduct({
    dataDir,
    catalog,
    // Empty: the product's own stores, also where the tests have others.
    env: {
      ...{ DATABASE_URL: '', REDIS_URL: '', AD_TTL_SECONDS: String(options.adTtlSeconds) },
      ...clocks.env,
      ...options.env,
    },
    routes: (chosen, more) => {
      clocks.know(metricsPorts([chosen, ...more]));
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
  const client = new Client(url, options.onTrouble);
  closers.push(() => {
    client.close();
    return Promise.resolve();
  });
  const random = makeTestRandom(options.seed + 1);
  const budgets = { product, clocks, adTtlSeconds: options.adTtlSeconds };
  return {
    ...{ ...budgets, links, market, tables, url, book, balancers },
    traffic: new Traffic({ client, book, random, apps: market.apps }, options),
    async deposit(advertiserId, amount, reference) {
      const args = ['advertiser', 'deposit', advertiserId, amount, '--reference', reference];
      const { status } = await runPlacard(product.consoleAddress, args);
      return status === 0;
    },
    async apply(change) {
      const file = path.join(dataDir, 'change.json');
      await writeFile(file, JSON.stringify(change));
      return (await runPlacard(product.consoleAddress, ['catalog', 'apply', file])).status === 0;
    },
    facts: () => readFacts(product.consoleAddress, tables),
    factsAtEnd: () => readFactsAtEnd(budgets, tables),
    close: () => closeAll(closers),
  };
}

/**
 * Waits for settlement and reads everything, then brings all money back that is not spent and verifies the ledger again.
 * Errors of the second verification follow those of the first.
 */
export async function readFactsAtEnd(budgets: Budgets, tables: Pool): Promise<LedgerFacts> {
  const { consoleAddress } = budgets.product;
  const facts = await readFacts(consoleAddress, tables);
  const held = await readHeldAtEnd(budgets, tables);
  const failedAtEnd = await readFailedChecks(consoleAddress);
  return { ...facts, held, failedChecks: [...facts.failedChecks, ...failedAtEnd] };
}

/** By the name of each process, the port of its metrics. */
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

type Balance = (service: string, places: readonly Place[]) => Promise<number>;

/** The gateways reach the creative files through a balancer, since a URL names one place. */
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
