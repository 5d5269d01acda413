import { expect } from 'chai';
import type { Product } from '@placard/local';
import { nanos, type Balances, type Verification } from '../driver/books.js';
import { creative, FORMATS, freshAppKey, threePlacements } from '../driver/catalog.js';
import type { AppEntry, CatalogEntry } from '../driver/catalog.js';
import { expectAccepted, expectRejected, expectRewarded } from '../driver/expect.js';
import { becomes, Phone } from '../driver/phone.js';

/** A product whose processes are of different releases. */
export interface MixedProduct {
  readonly product: Product;
  /** The JSON output of a command of the `placard` of the release whose console-service runs. Rejects when the command fails. */
  readPlacard(...args: readonly string[]): Promise<unknown>;
}

/** Longest time until clients are connected to a replaced process. */
const FOUND_MS_MAX = 20_000;

const app: AppEntry = {
  id: 'app_mixed',
  app_key: freshAppKey(),
  package_name: 'com.example.mixed',
  name: 'App',
  approved: true,
  placements: threePlacements(),
};

/** The catalog: a bid of 2.5 per thousand impressions, with a share of 0.7 for the publisher. */
export const lifeCatalog = {
  publishers: [{ id: 'pub_mixed', name: 'Publisher', approved: true, revenue_share: 0.7, apps: [app] }],
  advertisers: [
    {
      id: 'adv_mixed',
      name: 'Advertiser',
      approved: true,
      balance: 1_000,
      campaigns: [
        {
          id: 'cmp_mixed',
          name: 'Campaign',
          bid_cpm: 2.5,
          targeting: { app_ids: [app.id] },
          creatives: FORMATS.map((format) => creative(`cr_mixed_${format}`, format)),
        },
      ],
    },
  ],
} satisfies CatalogEntry;
const PRICE_NANOS = 2_500_000n;
const REVENUE_NANOS = 1_750_000n;

/**
 * Runs a phone from its first to its last request, including duplicates, and checks the books: two impressions are paid once
 * each, and everything adds up.
 */
export async function liveWholeLife(mixed: MixedProduct): Promise<void> {
  const { product } = mixed;
  expect(await becomes(FOUND_MS_MAX, () => isServing(mixed)), 'an ad is served').to.equal(true);
  await settle(mixed);
  const before = await balancesOf(mixed);
  const phone = await Phone.open(product.gatewayUrl, app);
  const banner = await phone.fill('banner');
  expectAccepted(await phone.impression(banner));
  expectAccepted(await phone.click(banner));
  const video = await phone.fill('rewarded');
  expectAccepted(await phone.impression(video));
  expectRewarded(await phone.reward(video, true), true);
  expectRejected(await phone.impression(banner), 'duplicate');
  expectRejected(await phone.click(banner), 'duplicate');
  expectAccepted(await phone.fallback('level_end'));

  await settle(mixed);
  const after = await balancesOf(mixed);
  const change = (account: string): bigint => (after.get(account) ?? 0n) - (before.get(account) ?? 0n);
  expect(change('advertiser/adv_mixed')).to.equal(-2n * PRICE_NANOS);
  expect(change('publisher/pub_mixed')).to.equal(2n * REVENUE_NANOS);
}

/** Waits until everything is settled, and asserts that the books add up. */
export async function settle(mixed: MixedProduct): Promise<void> {
  const { ok, checks } = (await mixed.readPlacard('ledger', 'verify', '--full', '--wait')) as Verification;
  expect(ok, JSON.stringify(checks)).to.equal(true);
}

/** Whether every process answers: for a session, an ad, an event, and for the books by console-service. */
async function isServing(mixed: MixedProduct): Promise<boolean> {
  try {
    const phone = await Phone.open(mixed.product.gatewayUrl, app);
    const impression = await phone.impression(await phone.fill('banner'));
    await balancesOf(mixed);
    return impression.status === 200;
  } catch {
    return false;
  }
}

/** Balances by `kind/id`, in nano-units. */
export async function balancesOf(mixed: MixedProduct): Promise<ReadonlyMap<string, bigint>> {
  const { accounts } = (await mixed.readPlacard('ledger', 'balances')) as Balances;
  return new Map(accounts.map(({ kind, id, balance }) => [`${kind}/${id}`, nanos(balance)]));
}
