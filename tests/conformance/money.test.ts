import { expect } from 'chai';
import { expectAccepted, expectRejected } from '../driver/expect.js';
import { atOnce, inTurns } from '../driver/phone.js';
import { World } from '../driver/world.js';
import type { CampaignOptions } from '../driver/world.js';

const world = new World('plain');

/** A publisher with a share, its app, and a campaign of an advertiser with its own money. */
function deal(revenue_share: number | string, options: CampaignOptions) {
  const publisher = world.publisher({ revenue_share });
  const app = world.app({}, publisher);
  const advertiser = world.advertiser({ balance: options.balance ?? 10 });
  const campaign = world.campaign({ ...options, apps: [app], advertiser });
  return { publisher, app, advertiser, campaign };
}

describe('the price of an impression', () => {
  world.use();

  const cases = [
    { bid: 2.5, share: 0.7, cost: 2_500_000n, earned: 1_750_000n },
    { bid: '0.000001', share: 0.7, cost: 1n, earned: 0n },
    { bid: '0.000003', share: '0.3334', cost: 3n, earned: 1n },
    { bid: '1.234567', share: '0.6543', cost: 1_234_567n, earned: 807_777n },
    { bid: 4.01, share: 0, cost: 4_010_000n, earned: 0n },
    { bid: 10_000, share: 1, cost: 10_000_000_000n, earned: 10_000_000_000n },
  ].map((price) => ({ ...price, ...deal(price.share, { bid_cpm: price.bid, balance: '100' }) }));

  it("is the bid in micro-units as nano-units; the share is rounded down and the rest is the platform's", async () => {
    const before = await world.balances();
    for (const { app } of cases) {
      const phone = await world.phone(app);
      for (const fill of await phone.fills(3, 'banner')) expectAccepted(await phone.impression(fill));
    }
    await world.settle();
    const after = await world.balances();
    for (const { advertiser, publisher, cost, earned, bid } of cases) {
      expect(after.get(`advertiser/${advertiser.id}`), `bid ${bid}`).to.equal(100_000_000_000n - 3n * cost);
      expect(after.get(`publisher/${publisher.id}`), `bid ${bid}`).to.equal(3n * earned);
    }
    const kept = cases.reduce((sum, { cost, earned }) => sum + 3n * (cost - earned), 0n);
    expect(after.get('platform/platform')! - (before.get('platform/platform') ?? 0n)).to.equal(kept);
    expect(after.get('deposits/deposits')).to.equal(before.get('deposits/deposits'));
  });
});

describe('an impression is charged once', () => {
  world.use();

  const once = deal(0.7, {});
  it('whatever is sent twice, at once, late or wrong, and clicks and rewards cost nothing', async () => {
    const phone = await world.phone(once.app);
    const fills = await phone.fills(12, 'rewarded');
    for (const fill of fills.slice(0, 10)) await atOnce(3, () => phone.impression(fill));
    for (const fill of fills.slice(0, 10)) expectRejected(await phone.impression(fill), 'duplicate');
    await inTurns(3, 1, (index) => phone.click(fills[index]!));
    await inTurns(5, 1, (index) => phone.reward(fills[index]!, true));
    expectRejected(await phone.click(fills[11]!), 'no_impression');
    expectRejected(
      await phone.event('impression', fills[11]!, { request_id: 'req_other' }),
      'request_mismatch',
    );
    await world.settle();
    const balances = await world.balances();
    expect(balances.get(`advertiser/${once.advertiser.id}`)).to.equal(10_000_000_000n - 10n * 2_500_000n);
    expect(balances.get(`publisher/${once.publisher.id}`)).to.equal(10n * 1_750_000n);
  });

  const changing = deal(0.7, {});
  it('at the price and the share of the moment of the fill', async () => {
    const phone = await world.phone(changing.app);
    const fill = await phone.fill('banner');
    changing.campaign.bid_cpm = 9;
    changing.publisher.revenue_share = 0.1;
    await world.apply();
    expectAccepted(await phone.impression(fill));
    await world.settle();
    const balances = await world.balances();
    expect(balances.get(`advertiser/${changing.advertiser.id}`)).to.equal(10_000_000_000n - 2_500_000n);
    expect(balances.get(`publisher/${changing.publisher.id}`)).to.equal(1_750_000n);
  });
});

describe('balances', () => {
  world.use();

  const vast = deal(1, { bid_cpm: '0.000001', balance: '999999999.999999999' });
  it('are exact beyond the whole numbers of a double', async () => {
    const phone = await world.phone(vast.app);
    for (const fill of await phone.fills(3, 'banner')) expectAccepted(await phone.impression(fill));
    await world.settle();
    const balances = await world.balances();
    expect(balances.get(`advertiser/${vast.advertiser.id}`)).to.equal(999_999_999_999_999_996n);
    expect(balances.get(`publisher/${vast.publisher.id}`)).to.equal(3n);
  });

  const idle = deal(0.5, { balance: 0 });
  it('list every account, also at zero, and add up to zero', async () => {
    const balances = await world.balances();
    expect(balances.get(`advertiser/${idle.advertiser.id}`)).to.equal(0n);
    expect(balances.get(`publisher/${idle.publisher.id}`)).to.equal(0n);
    expect(balances.get('deposits/deposits')! < 0n).to.equal(true);
    expect([...balances.values()].reduce((sum, one) => sum + one, 0n)).to.equal(0n);
  });

  it('are verified by name, and each check says what it looked at', async () => {
    const { checks } = await world.settle();
    expect(checks.length).to.be.greaterThan(2);
    for (const check of checks) {
      expect(check).to.have.all.keys('name', 'ok', 'detail');
      expect(check.ok).to.equal(true);
    }
  });
});
