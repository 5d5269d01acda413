import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Product } from '@placard/local';
import { expect } from 'chai';
import pg from 'pg';
import { nanos, type Balances } from '../driver/books.js';
import {
  creative,
  freshAppKey,
  threePlacements,
  type AppEntry,
  type CatalogEntry,
} from '../driver/catalog.js';
import { clusterOf, copyRunningCluster, databaseUrlOf } from '../driver/database.js';
import { fillOf } from '../driver/expect.js';
import { becomes, Phone } from '../driver/phone.js';
import { readPlacard } from '../driver/placard.js';
import type { Fill } from '../driver/wire.js';

const run = promisify(execFile);

/** The app of a restore drill. */
export const app: AppEntry = {
  id: 'app_drill',
  app_key: freshAppKey(),
  package_name: 'com.example.drill',
  name: 'Drill',
  approved: true,
  placements: threePlacements(),
};

/** The catalog of a restore drill: one advertiser with one campaign. */
export const catalog: CatalogEntry = {
  publishers: [{ id: 'pub_drill', name: 'Drill', approved: true, revenue_share: '0.7', apps: [app] }],
  advertisers: [
    {
      id: 'adv_drill',
      name: 'Drill',
      approved: true,
      balance: '100',
      campaigns: [
        {
          id: 'cmp_drill',
          name: 'Drill',
          status: 'active',
          bid_cpm: '2.5',
          creatives: [creative('cr_drill', 'banner')],
        },
      ],
    },
  ],
};

const BALANCE = 100_000_000_000n;
/** Price of one impression, nano-units: 2.5 per thousand. */
export const PRICE = 2_500_000n;
const SERVES_MS_MAX = 30_000;

/** Makes a folder that the user that runs Postgres can enter. */
export async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'placard-drill-'));
  await run('chmod', ['711', dir]);
  return dir;
}

/** Runs SQL as the owner of a running product's database. Each statement has a transaction of its own. */
export async function inDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await databaseUrlOf(dataDir) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Backs up a running product by docs/runbooks/backup-and-restore.md. */
export async function backUp(from: string, to: string): Promise<void> {
  const [cluster, copy] = [clusterOf(from), clusterOf(to)];
  await mkdir(path.dirname(copy), { recursive: true });
  await inDatabase(from, (client) => copyRunningCluster(client, cluster, copy));
  // Postgres is started as the owner of this folder.
  await run('chown', ['--reference', cluster, path.dirname(copy)]);
  await keepKeys(from, to);
}

/** Copies the keys and passwords of a product. */
export async function keepKeys(from: string, to: string): Promise<void> {
  for (const name of ['secrets.json', 'keys']) {
    await cp(path.join(from, name), path.join(to, name), { recursive: true });
  }
}

/** Money that the ledger has taken from the advertiser of the drill, in nano-units. */
export async function spentOf(product: Product): Promise<bigint> {
  const { accounts } = await readPlacard<Balances>(product.consoleAddress, 'ledger', 'balances');
  return BALANCE - nanos(accounts.find(({ id }) => id === 'adv_drill')!.balance);
}

/** Shows an ad; the impression must be accepted. */
export async function accept(phone: Phone, fill: Fill): Promise<void> {
  const answer = await phone.impression(fill);
  expect(answer.status, answer.text).to.equal(200);
}

/** Waits until an ad is served and its impression accepted. */
export async function untilServing(product: Product): Promise<void> {
  const isServing = await becomes(SERVES_MS_MAX, async () => {
    const phone = await Phone.open(product.gatewayUrl, app);
    const answer = await phone.request('banner');
    return answer.body.status === 'fill' && (await phone.impression(fillOf(answer))).status === 200;
  });
  expect(isServing, 'an impression is accepted').to.equal(true);
}

/** An impression whose acceptance was answered. */
export interface Shown {
  readonly requestId: string;
  /** Epoch milliseconds of the answer. */
  readonly atMs: number;
}

/** Phones that show ads until `stop`, which returns the accepted impressions. */
export interface Traffic {
  readonly stop: () => Promise<readonly Shown[]>;
}

/** Shows ads in sessions on three phones. A failed request fails `stop`, unless `endsOnFailure` ends the phone instead. */
export function keepShowing(product: Product, { endsOnFailure = false } = {}): Traffic {
  const over = new AbortController();
  const goesOn = (): boolean => !over.signal.aborted;
  const shown: Shown[] = [];
  const session = async (): Promise<void> => {
    const phone = await Phone.open(product.gatewayUrl, app);
    for (let count = 0; count < 10 && goesOn(); count += 1) {
      const fill = await phone.fill('banner');
      await accept(phone, fill);
      shown.push({ requestId: fill.requestId, atMs: Date.now() });
    }
  };
  const lane = async (): Promise<void> => {
    try {
      while (goesOn()) await session();
    } catch (error) {
      if (!endsOnFailure) throw error;
    }
  };
  const lanes = [lane(), lane(), lane()];
  return {
    async stop() {
      over.abort();
      await Promise.all(lanes);
      return shown;
    },
  };
}
