import { expect } from 'chai';
import type { Product } from '@placard/local';
import { creative, freshAppKey, threePlacements } from '../driver/catalog.js';
import type { AppEntry, CatalogEntry } from '../driver/catalog.js';
import { expectAccepted, fillOf } from '../driver/expect.js';
import { becomes, pass, Phone } from '../driver/phone.js';
import type { Fill } from '../driver/wire.js';
import { balancesOf, settle, type MixedProduct } from './life.js';

/** An ad that a phone holds to show it later. */
interface HeldAd {
  readonly phone: Phone;
  readonly fill: Fill;
}

const app: AppEntry = {
  id: 'app_upgraded',
  app_key: freshAppKey(),
  package_name: 'com.example.upgraded',
  name: 'App',
  approved: true,
  placements: threePlacements(),
};

/** A catalog with a budget of twenty and a half ads at 2.5 per thousand. */
export const openAdsCatalog = {
  publishers: [{ id: 'pub_upgraded', name: 'Publisher', approved: true, revenue_share: 0.7, apps: [app] }],
  advertisers: [
    {
      id: 'adv_upgraded',
      name: 'Advertiser',
      approved: true,
      balance: 1_000,
      campaigns: [
        {
          id: 'cmp_upgraded',
          name: 'Campaign',
          bid_cpm: 2.5,
          budget_total: '0.05125',
          targeting: { app_ids: [app.id] },
          creatives: [creative('cr_upgraded', 'banner')],
        },
      ],
    },
  ],
} satisfies CatalogEntry;
const PRICE_NANOS = 2_500_000n;
const ROOM = 20;
const SHOWN_BEFORE = 3;
const OPEN_BEFORE = 5;
const SELLS_MS_MAX = 10_000;
/** Requests continue this long after the last ad, to find an ad too many. */
const ASKED_MS = 3_000;
const ASK_EVERY_MS = 200;

/** Shows some ads and holds others; they stay open. */
export async function holdAds({ gatewayUrl }: Product): Promise<readonly HeldAd[]> {
  for (let shown = 0; shown < SHOWN_BEFORE; shown += 1) {
    const phone = await Phone.open(gatewayUrl, app);
    expectAccepted(await phone.impression(await phone.fill('banner')));
  }
  const held: HeldAd[] = [];
  for (let open = 0; open < OPEN_BEFORE; open += 1) {
    const phone = await Phone.open(gatewayUrl, app);
    held.push({ phone, fill: await phone.fill('banner') });
  }
  return held;
}

/** Sells the rest of the budget, shows all ads, and asserts that exactly the budget's ads are paid. */
export async function sellTheRest(mixed: MixedProduct, held: readonly HeldAd[]): Promise<void> {
  const { gatewayUrl } = mixed.product;
  const ads = [...held];
  const isSold = await becomes(SELLS_MS_MAX, async () => {
    await askOnce(gatewayUrl, ads);
    return ads.length >= ROOM - SHOWN_BEFORE;
  });
  expect(isSold, `${ads.length} ads within ${SELLS_MS_MAX} ms`).to.equal(true);
  for (let askedMs = 0; askedMs < ASKED_MS; askedMs += ASK_EVERY_MS) {
    await askOnce(gatewayUrl, ads);
    await pass(ASK_EVERY_MS);
  }
  expect(ads.length, 'ads of the budget').to.equal(ROOM - SHOWN_BEFORE);
  for (const { phone, fill } of ads) expectAccepted(await phone.at(gatewayUrl).impression(fill));
  await settle(mixed);
  const left = (await balancesOf(mixed)).get('advertiser/adv_upgraded');
  expect(left).to.equal(1_000_000_000_000n - BigInt(ROOM) * PRICE_NANOS);
}

async function askOnce(gatewayUrl: string, ads: HeldAd[]): Promise<void> {
  const phone = await Phone.open(gatewayUrl, app);
  const answer = await phone.request('banner');
  if (answer.status === 200 && answer.body.status === 'fill') ads.push({ phone, fill: fillOf(answer) });
}
