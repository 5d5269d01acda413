import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startProduct, type Product } from '@placard/local';
import { expect } from 'chai';
import pg from 'pg';
import { nanos, type Balances, type Verification } from '../driver/books.js';
import {
  creative,
  freshAppKey,
  threePlacements,
  type AppEntry,
  type CatalogEntry,
} from '../driver/catalog.js';
import { clusterOf, copyRunningCluster, databaseUrlOf } from '../driver/database.js';
import { Phone } from '../driver/phone.js';
import { readPlacard } from '../driver/placard.js';
import type { Fill } from '../driver/wire.js';

const run = promisify(execFile);

const app: AppEntry = {
  id: 'app_drill',
  app_key: freshAppKey(),
  package_name: 'com.example.drill',
  name: 'Drill',
  approved: true,
  placements: threePlacements(),
};
const catalog: CatalogEntry = {
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
const PRICE = 2_500_000n;
const BEFORE = 40;
const SHOWN_LATER = 12;
const DRILL_MS_MAX = 240_000;

/** Makes a folder that the user that runs Postgres can enter. */
async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'placard-drill-'));
  await run('chmod', ['711', dir]);
  return dir;
}

/** Backs up a running product by docs/runbooks/backup-and-restore.md. */
async function backUp(from: string, to: string): Promise<void> {
  const [cluster, copy] = [clusterOf(from), clusterOf(to)];
  await mkdir(path.dirname(copy), { recursive: true });
  const client = new pg.Client({ connectionString: await databaseUrlOf(from) });
  await client.connect();
  try {
    await copyRunningCluster(client, cluster, copy);
    // Postgres is started as the owner of this folder.
    await run('chown', ['--reference', cluster, path.dirname(copy)]);
  } finally {
    await client.end();
  }
  for (const name of ['secrets.json', 'keys']) {
    await cp(path.join(from, name), path.join(to, name), { recursive: true });
  }
}

async function spentOf(product: Product): Promise<bigint> {
  const { accounts } = await readPlacard<Balances>(product.consoleAddress, 'ledger', 'balances');
  return BALANCE - nanos(accounts.find(({ id }) => id === 'adv_drill')!.balance);
}

async function accept(phone: Phone, fill: Fill): Promise<void> {
  const answer = await phone.impression(fill);
  expect(answer.status, answer.text).to.equal(200);
}

/** Shows ads in sessions until `stop`, which returns the number of accepted impressions. */
function keepShowing(product: Product): { readonly stop: () => Promise<number> } {
  const over = new AbortController();
  const goesOn = (): boolean => !over.signal.aborted;
  const lane = async (): Promise<number> => {
    let accepted = 0;
    while (goesOn()) {
      const phone = await Phone.open(product.gatewayUrl, app);
      for (let shown = 0; shown < 10 && goesOn(); shown += 1) {
        await accept(phone, await phone.fill('banner'));
        accepted += 1;
      }
    }
    return accepted;
  };
  const lanes = [lane(), lane(), lane()];
  return {
    async stop() {
      over.abort();
      return (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
    },
  };
}

describe('a backup that is taken under traffic', () => {
  const folders: string[] = [];
  let product: Product | null = null;
  after(async () => {
    await product?.stop();
    await Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true })));
  });

  it('restores a product whose books add up and that refuses duplicates and serves ads', async () => {
    folders.push(await makeFolder(), await makeFolder());
    const [from, to] = folders as [string, string];
    const file = path.join(from, 'catalog.json');
    await writeFile(file, JSON.stringify(catalog));
    product = await startProduct({ dataDir: from, catalog: file });
    const phones: [Phone, Fill][] = [];
    for (let index = 0; index < BEFORE; index += 1) {
      const phone = await Phone.open(product.gatewayUrl, app);
      phones.push([phone, await phone.fill('banner')]);
    }
    const [shownLater, shown] = [phones.slice(0, SHOWN_LATER), phones.slice(SHOWN_LATER)];
    for (const [phone, fill] of shown) await accept(phone, fill);
    const traffic = keepShowing(product);
    await backUp(from, to);
    const meanwhile = await traffic.stop();
    await product.stop();

    product = await startProduct({ dataDir: to, catalog: file });
    const { ok, checks } = await readPlacard<Verification>(
      product.consoleAddress,
      'ledger',
      'verify',
      '--full',
      '--wait',
    );
    expect(ok, JSON.stringify(checks)).to.equal(true);
    const restored = await spentOf(product);
    expect(restored % PRICE).to.equal(0n);
    expect(Number(restored / PRICE)).to.be.within(shown.length, shown.length + meanwhile);
    // The addresses have new ports. Sessions and ads are the same.
    const again = (phone: Phone, fill: Fill) => phone.at(product!.gatewayUrl).impression(fill);
    for (const [phone, fill] of shown) {
      const answer = await again(phone, fill);
      expect(answer.body.reason, answer.text).to.equal('duplicate');
    }
    for (const [phone, fill] of shownLater) expect((await again(phone, fill)).status).to.equal(200);
    await readPlacard<Verification>(product.consoleAddress, 'ledger', 'verify', '--full', '--wait');
    expect((await spentOf(product)) - restored).to.equal(PRICE * BigInt(SHOWN_LATER));
  }).timeout(DRILL_MS_MAX);
});
