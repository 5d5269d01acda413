import { expect } from 'chai';
import type { CapEntry } from '../driver/catalog.js';
import { expectAccepted, expectNoFill, expectRejected } from '../driver/expect.js';
import { atOnce, becomes, inTurns, pass } from '../driver/phone.js';
import { SHORT } from '../driver/product.js';
import { World } from '../driver/world.js';

const world = new World('plain');

const PERIODS = ['session', 'hour', 'day'] as const;

function capped(frequency_cap: CapEntry, fallback_provider = 'partner') {
  const placements = [
    { code: 'home_banner', format: 'banner', fallback_provider, frequency_cap },
    { code: 'level_end', format: 'interstitial' },
  ];
  return world.pair({}, { placements });
}

describe('the frequency cap of a placement', () => {
  world.use();

  const caps = PERIODS.map((period) => ({ period, pair: capped({ count: 2, period }) }));
  for (const { period, pair } of caps) {
    it(`of 2 per ${period} gives two fills to a session; then frequency_capped with the placement's provider`, async () => {
      const phone = await world.phone(pair.app);
      await phone.fills(2, 'banner');
      expectNoFill(await phone.request('banner'), 'frequency_capped', 'partner');
      expect((await phone.request('interstitial')).body.status).to.equal('fill');
    });

    it(`of 2 per ${period} starts at zero in a new session`, async () => {
      await (await world.phone(pair.app)).fills(2, 'banner');
      await (await world.phone(pair.app)).fills(2, 'banner');
    });
  }

  const three = capped({ count: 3, period: 'session' }, 'none');
  it('is exact under 20 requests at once, in each of many sessions', async () => {
    await inTurns(12, 2, async () => {
      const phone = await world.phone(three.app);
      const answers = await atOnce(20, () => phone.request('banner'));
      const fills = answers.filter((answer) => answer.body.status === 'fill');
      expect(fills.length).to.equal(3);
      for (const answer of answers) {
        if (answer.body.status !== 'fill') expectNoFill(answer, 'frequency_capped', 'none');
      }
    });
  });

  it('counts fills that were shown and fills that can still be shown', async () => {
    const phone = await world.phone(caps[0]!.pair.app);
    const [shown] = await phone.fills(2, 'banner');
    expectAccepted(await phone.impression(shown!));
    expectNoFill(await phone.request('banner'), 'frequency_capped');
  });

  it('applies to test ads and to live ads', async () => {
    const phone = await world.phone(caps[0]!.pair.app, { test_mode: true });
    await phone.fills(2, 'banner');
    expectNoFill(await phone.request('banner'), 'frequency_capped');
  });

  const both = world.pair(
    { status: 'paused' },
    {
      placements: [{ code: 'home_banner', format: 'banner', frequency_cap: { count: 1, period: 'session' } }],
    },
  );
  it('does not count requests that were not filled', async () => {
    const phone = await world.phone(both.app);
    for (let count = 0; count < 3; count += 1) {
      expectNoFill(await phone.request('banner'), 'no_eligible_campaign', 'none');
    }
  });

  const shut = world.pair(
    {},
    { placements: [{ code: 'home_banner', format: 'banner', frequency_cap: { count: 1, period: 'hour' } }] },
  );
  it('comes after the fraud cap on ad requests: when both are full, the reason is no_eligible_campaign', async () => {
    const phone = await world.phone(shut.app);
    const answers = await inTurns(30, 1, () => phone.outcome('banner'));
    expect(answers.slice(1)).to.deep.equal(new Array<string>(29).fill('frequency_capped'));
    expectNoFill(await phone.request('banner'), 'no_eligible_campaign', 'none');
  });
});

describe('the frequency cap of a campaign', () => {
  world.use();

  for (const period of PERIODS) {
    const app = world.app();
    const second = world.campaign({ apps: [app], bid_cpm: 1 });
    const first = world.campaign({ apps: [app], bid_cpm: 2, frequency_cap: { count: 2, period } });
    it(`of 2 per ${period} lets the next campaign be served after two fills in the session`, async () => {
      const phone = await world.phone(app);
      const outcomes = await inTurns(4, 1, () => phone.outcome('banner'));
      expect(outcomes).to.deep.equal([first.id, first.id, second.id, second.id]);
      expect(await (await world.phone(app)).outcome('banner')).to.equal(first.id);
    });
  }

  const alone = world.pair({ frequency_cap: { count: 3, period: 'session' } });
  it('is exact under 20 simultaneous requests; without another campaign the reason is no_eligible_campaign', async () => {
    await inTurns(8, 2, async () => {
      const phone = await world.phone(alone.app);
      const answers = await atOnce(20, () => phone.request('banner'));
      expect(answers.filter((answer) => answer.body.status === 'fill').length).to.equal(3);
      for (const answer of answers) {
        if (answer.body.status !== 'fill') expectNoFill(answer, 'no_eligible_campaign');
      }
    });
  });

  it('counts over all placements of the session', async () => {
    const phone = await world.phone(alone.app);
    for (const format of ['banner', 'interstitial', 'rewarded'] as const) await phone.fill(format);
    expect(await phone.outcome('banner')).to.equal('no_eligible_campaign');
  });
});

const short = new World('short');
const cap = { count: 2, period: 'session' };
const brief = short.pair({}, { placements: [{ code: 'home_banner', format: 'banner', frequency_cap: cap }] });

describe('a fill that is never shown', () => {
  short.use();

  it('counts until it expires, while a shown fill goes on counting', async () => {
    const phone = await short.phone(brief.app);
    const [shown, unseen] = await phone.fills(2, 'banner');
    expectAccepted(await phone.impression(shown!));
    expectNoFill(await phone.request('banner'), 'frequency_capped', 'none');
    await pass(SHORT.adSeconds * 1_000 + 100);
    expectRejected(await phone.impression(unseen!), 'expired_token');
    await phone.fill('banner');
    expectNoFill(await phone.request('banner'), 'frequency_capped', 'none');
  });
});

const fraud = new World('fraud');
const freed = fraud.pair({
  frequency_cap: { count: 61, period: 'hour' },
});

describe('a suspicious impression', () => {
  fraud.use();

  it('ends the counting of its fill for the frequency cap', async () => {
    const phone = await fraud.phone(freed.app);
    const fills = await phone.fills(61, 'interstitial');
    expect(await phone.outcome('interstitial')).to.equal('no_eligible_campaign');
    for (const fill of fills.slice(0, 60)) expectAccepted(await phone.impression(fill));
    expectRejected(await phone.impression(fills[60]!), 'suspicious');
    const isFree = await becomes(
      3_000,
      async () => (await phone.outcome('interstitial')) === freed.campaign.id,
    );
    expect(isFree).to.equal(true);
  });
});
