import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startProduct, type Product } from '@placard/local';
import { expect } from 'chai';
import { nanos, type Balances, type Verification } from '../driver/books.js';
import {
  creative,
  FORMATS,
  freshAppKey,
  threePlacements,
  type AppEntry,
  type CatalogEntry,
  type Format,
} from '../driver/catalog.js';
import { expectAccepted, fillOf } from '../driver/expect.js';
import { becomes, Phone } from '../driver/phone.js';
import { readPlacard } from '../driver/placard.js';
import type { Fill } from '../driver/wire.js';

const TEST_MS_MAX = 180_000;
/** After its first request, an advertiser must sell again by then. */
const SELLS_MS_MAX = 10_000;
/** For so long an advertiser that is spent out is asked; budgets are rebuilt within it. */
const SPENT_MS = 4_000;
/** Each advertiser has money for so many at 2.5 a thousand, and not for one more. */
const ADS = 6;
const BALANCE = '0.015';
const ADVERTISERS: Readonly<Record<Format, string>> = {
  banner: 'adv_north',
  interstitial: 'adv_south',
  rewarded: 'adv_east',
};

const app: AppEntry = {
  id: 'app_shards',
  app_key: freshAppKey(),
  package_name: 'com.example.shards',
  name: 'Shards',
  approved: true,
  placements: threePlacements(),
};
const catalog: CatalogEntry = {
  publishers: [{ id: 'pub_shards', name: 'Shards', approved: true, revenue_share: '0.7', apps: [app] }],
  advertisers: FORMATS.map((format) => ({
    id: ADVERTISERS[format],
    name: format,
    approved: true,
    balance: BALANCE,
    campaigns: [
      {
        id: `cmp_${format}`,
        name: format,
        status: 'active',
        bid_cpm: '2.5',
        creatives: [creative(`cr_${format}`, format)],
      },
    ],
  })),
};

describe('another number of budget shards, there and back, while ads are open', () => {
  let dataDir: string;
  let product: Product | null = null;
  before(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'placard-shards-'));
    await writeFile(path.join(dataDir, 'catalog.json'), JSON.stringify(catalog));
  });
  after(async () => {
    await product?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Stops what runs and starts it with so many shards; the data stays. */
  async function startWith(shards: number): Promise<Product> {
    await product?.stop();
    const env = { BUDGET_SHARDS: String(shards) };
    product = await startProduct({ dataDir, catalog: path.join(dataDir, 'catalog.json'), env });
    return product;
  }

  it('every advertiser sells again within seconds, none sells more than it has, and the books are exact', async () => {
    const phone = await Phone.open((await startWith(1)).gatewayUrl, app);
    const open = new Map<Format, Fill[]>();
    for (const format of FORMATS) {
      const [shown, ...left] = await phone.fills(3, format);
      expectAccepted(await phone.impression(shown!));
      open.set(format, left);
    }

    const moved = await startWith(8);
    for (const format of FORMATS) {
      const fills = open.get(format)!;
      expect(await sells(moved, { format, fills, withinMs: SELLS_MS_MAX }), format).to.equal(true);
      const asking = phone.at(moved.gatewayUrl);
      while (fills.length < ADS - 1) fills.push(await asking.fill(format));
      expect(await asking.outcome(format)).to.equal('no_eligible_campaign');
    }

    const back = await startWith(1);
    for (const format of FORMATS) {
      expect(await sells(back, { format, fills: [], withinMs: SPENT_MS }), format).to.equal(false);
      for (const fill of open.get(format)!) expectAccepted(await phone.at(back.gatewayUrl).impression(fill));
    }
    const { consoleAddress } = back;
    const { ok, checks } = await readPlacard<Verification>(
      consoleAddress,
      'ledger',
      'verify',
      '--full',
      '--wait',
    );
    expect(ok, JSON.stringify(checks)).to.equal(true);
    const { accounts } = await readPlacard<Balances>(consoleAddress, 'ledger', 'balances');
    for (const id of Object.values(ADVERTISERS))
      expect(nanos(accounts.find((account) => account.id === id)!.balance), id).to.equal(0n);
  }).timeout(TEST_MS_MAX);
});

interface Wanted {
  readonly format: Format;
  /** Takes the ad that is given. */
  readonly fills: Fill[];
  readonly withinMs: number;
}

/** Asks, each time with a session of its own, until an ad is given; false when none was in time. */
function sells({ gatewayUrl }: Product, { format, fills, withinMs }: Wanted): Promise<boolean> {
  return becomes(withinMs, async () => {
    const phone = await Phone.open(gatewayUrl, app);
    const answer = await phone.request(format);
    expect(answer.status, answer.text).to.equal(200);
    if (answer.body.status !== 'fill') return false;
    fills.push(fillOf(answer));
    return true;
  });
}
