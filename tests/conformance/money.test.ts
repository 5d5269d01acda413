import { expect } from 'chai';
import type { Verification } from '../driver/books.js';
import { expectAccepted, expectRejected } from '../driver/expect.js';
import { atOnce, inTurns } from '../driver/phone.js';
import { World } from '../driver/world.js';
import type { CampaignOptions } from '../driver/world.js';

const world = new World('plain');

/** A publisher with a share, its app, and a campaign of an advertiser with its own balance. */
function deal(revenue_share: number | string, options: CampaignOptions) {
  const publisher = world.publisher({ revenue_share });
  const app = world.app({}, publisher);
  const advertiser = world.advertiser({ balance: options.balance ?? 10 });
  const campaign = world.campaign({ ...options, apps: [app], advertiser });
  return { publisher, app, advertiser, campaign };
}

const prices = [
  { bid: 2.5, share: 0.7, cost: 2_500_000n, earned: 1_750_000n },
  { bid: '0.000001', share: 0.7, cost: 1n, earned: 0n },
  { bid: '0.000003', share: '0.3334', cost: 3n, earned: 1n },
  { bid: '1.234567', share: '0.6543', cost: 1_234_567n, earned: 807_777n },
  { bid: 4.01, share: 0, cost: 4_010_000n, earned: 0n },
  { bid: 10_000, share: 1, cost: 10_000_000_000n, earned: 10_000_000_000n },
].map((price) => ({ ...price, ...deal(price.share, { bid_cpm: price.bid, balance: '100' }) }));
const once = deal(0.7, {});
const changing = deal(0.7, {});
const vast = deal(1, { bid_cpm: '0.000001', balance: '999999999.999999999' });
const idle = deal(0.5, { balance: 0 });

/** Three impressions at every price, also at the lowest price for the advertiser with the highest balance. */
async function showAtEveryPrice(): Promise<void> {
  for (const { app } of [...prices, vast]) {
    const phone = await world.phone(app);
    for (const fill of await phone.fills(3, 'banner')) expectAccepted(await phone.impression(fill));
  }
}

/** Ten impressions, and between them every event that must cost nothing. */
async function repeatEverything(): Promise<void> {
  const phone = await world.phone(once.app);
  const fills = await phone.fills(12, 'rewarded');
  for (const fill of fills.slice(0, 10)) await atOnce(3, () => phone.impression(fill));
  for (const fill of fills.slice(0, 10)) expectRejected(await phone.impression(fill), 'duplicate');
  await inTurns(3, 1, (index) => phone.click(fills[index]!));
  await inTurns(5, 1, (index) => phone.reward(fills[index]!, true));
  expectRejected(await phone.click(fills[11]!), 'no_impression');
  const mismatch = await phone.event('impression', fills[11]!, { request_id: 'req_other' });
  expectRejected(mismatch, 'request_mismatch');
}

/** An impression whose bid and share change between its fill and its report. */
async function changeBetween(): Promise<void> {
  const phone = await world.phone(changing.app);
  const fill = await phone.fill('banner');
  changing.campaign.bid_cpm = 9;
  changing.publisher.revenue_share = 0.1;
  await world.apply();
  expectAccepted(await phone.impression(fill));
}

describe('the ledger', () => {
  world.use();

  type Balances = ReadonlyMap<string, bigint>;
  let earlier: Balances;
  let balances: Balances;
  let verification: Verification;
  before('impressions are shown and settled', async () => {
    await world.settle();
    earlier = await world.balances();
    await Promise.all([showAtEveryPrice(), repeatEverything(), changeBetween()]);
    verification = await world.settle();
    balances = await world.balances();
  }).timeout(60_000);

  for (const { bid, share, cost, earned, advertiser, publisher } of prices) {
    it(`charges ${cost} nano-units for a bid of ${bid}; a share of ${share} of it is ${earned}, rounded down`, () => {
      expect(balances.get(`advertiser/${advertiser.id}`)).to.equal(100_000_000_000n - 3n * cost);
      expect(balances.get(`publisher/${publisher.id}`)).to.equal(3n * earned);
    });
  }

  it('leaves the remainder to the platform, and does not change deposits', () => {
    const atPrices = prices.reduce((sum, { cost, earned }) => sum + 3n * (cost - earned), 0n);
    const kept = atPrices + 11n * (2_500_000n - 1_750_000n);
    const platform = 'platform/platform';
    expect((balances.get(platform) ?? 0n) - (earlier.get(platform) ?? 0n)).to.equal(kept);
    expect(balances.get('deposits/deposits')).to.equal(earlier.get('deposits/deposits'));
  });

  it('charges an impression once, despite repeated, simultaneous and invalid events; clicks and rewards cost nothing', () => {
    expect(balances.get(`advertiser/${once.advertiser.id}`)).to.equal(10_000_000_000n - 10n * 2_500_000n);
    expect(balances.get(`publisher/${once.publisher.id}`)).to.equal(10n * 1_750_000n);
  });

  it('charges the price and the share at the time of the fill', () => {
    expect(balances.get(`advertiser/${changing.advertiser.id}`)).to.equal(10_000_000_000n - 2_500_000n);
    expect(balances.get(`publisher/${changing.publisher.id}`)).to.equal(1_750_000n);
  });

  it('is exact beyond 2^53 nano-units', () => {
    expect(balances.get(`advertiser/${vast.advertiser.id}`)).to.equal(999_999_999_999_999_996n);
    expect(balances.get(`publisher/${vast.publisher.id}`)).to.equal(3n);
  });

  it('lists every account, also at zero, and adds up to zero', () => {
    expect(balances.get(`advertiser/${idle.advertiser.id}`)).to.equal(0n);
    expect(balances.get(`publisher/${idle.publisher.id}`)).to.equal(0n);
    expect(balances.get('deposits/deposits')! < 0n).to.equal(true);
    expect([...balances.values()].reduce((sum, one) => sum + one, 0n)).to.equal(0n);
  });

  it('is verified by named checks, and each check gives its figures', () => {
    expect(verification.checks.length).to.be.greaterThan(2);
    for (const check of verification.checks) {
      expect(check).to.have.all.keys('name', 'ok', 'detail');
      expect(check.ok).to.equal(true);
    }
  });
});
