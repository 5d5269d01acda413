import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startProduct, type Ports } from '@placard/local';
import type { Pool } from '@placard/service-kit';
import { makeTestRandom } from '@placard/service-kit/testing';
import { runPlacard } from '../driver/placard.js';
import { Book } from './book.js';
import { Client } from './client.js';
import type { LedgerFacts } from './comparison.js';
import type { Victim } from './injector.js';
import { openTables, readFacts } from './ledger-facts.js';
import { Links } from './links.js';
import { makeMarket, type Market } from './market.js';
import { Traffic } from './traffic.js';

/** How a product is set up to be hurt. */
export interface RigOptions {
  readonly seed: number;
  /** How much may be spent: 1 suits half a minute of traffic. */
  readonly scale: number;
  /** Life of an ad in seconds. */
  readonly adTtlSeconds: number;
  readonly adsPerSecond: number;
  readonly holdMsMax: number;
}

/** A whole product with stores of its own, proxies in all its connections, phones and their book. */
export interface Rig extends Victim {
  readonly market: Market;
  readonly book: Book;
  readonly traffic: Traffic;
  /** The product's own database, past the proxies. */
  readonly tables: Pool;
  /** Pays in for an advertiser, again and again until it is booked. */
  deposit(advertiserId: string, amount: string, reference: string): Promise<boolean>;
  /** Waits for settlement and reads what the product says then. */
  facts(): Promise<LedgerFacts>;
  close(): Promise<void>;
}

/** Starts it. The stores are the product's built-in ones, forced to disk: what was accepted is durable. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'placard-failure-'));
  await chmod(dataDir, 0o711);
  const links = new Links();
  try {
    return await openRigIn(dataDir, links, options);
  } catch (error) {
    await links.close();
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

async function openRigIn(dataDir: string, links: Links, options: RigOptions): Promise<Rig> {
  const market = makeMarket(options.scale);
  const catalog = path.join(dataDir, 'market.json');
  await writeFile(catalog, JSON.stringify(market.file));
  const listening: Ports[] = [];
  const product = await startProduct({
    dataDir,
    catalog,
    // Empty: the product's own stores, also where the tests have others.
    env: { DATABASE_URL: '', REDIS_URL: '', AD_TTL_SECONDS: String(options.adTtlSeconds) },
    routes: (chosen) => {
      listening.push(chosen);
      return links.open(chosen);
    },
  });
  const { postgres, redis } = listening[0]!;
  const tables = openTables(await databaseUrl(dataDir, postgres));
  return assemble(options, { product, links, redisPort: redis, market, tables });
}

function assemble(
  options: RigOptions,
  parts: Pick<Rig, 'product' | 'links' | 'redisPort' | 'market' | 'tables'>,
): Rig {
  const { product, links, market, tables } = parts;
  const book = new Book();
  const client = new Client(product.gatewayUrl);
  const random = makeTestRandom(options.seed + 1);
  const traffic = new Traffic({ client, book, random, apps: market.apps }, options);
  return {
    ...parts,
    book,
    traffic,
    async deposit(advertiserId, amount, reference) {
      const args = ['advertiser', 'deposit', advertiserId, amount, '--reference', reference];
      const { status } = await runPlacard(product.consoleAddress, args);
      return status === 0;
    },
    facts: () => readFacts(product.consoleAddress, tables),
    async close() {
      client.close();
      await tables.end();
      await product.stop();
      await links.close();
      await rm(product.dataDir, { recursive: true, force: true });
    },
  };
}

async function databaseUrl(dataDir: string, port: number): Promise<string> {
  const text = await readFile(path.join(dataDir, 'secrets.json'), 'utf8');
  const { postgresPassword } = JSON.parse(text) as { readonly postgresPassword: string };
  return `postgres://placard:${encodeURIComponent(postgresPassword)}@127.0.0.1:${port}/placard`;
}
