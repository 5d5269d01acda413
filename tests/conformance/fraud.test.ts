import { expect } from 'chai';
import type { Format, PlacementEntry } from '../driver/catalog.js';
import { expectAccepted, expectNoFill, expectRejected } from '../driver/expect.js';
import { atOnce, inTurns, pass } from '../driver/phone.js';
import type { Phone } from '../driver/phone.js';
import type { Fill } from '../driver/wire.js';
import { World } from '../driver/world.js';

const WIDTH = 10;
const CLICK_WAIT_MS = 1_050;

const plain = new World('plain');
const asked = plain.pair();

describe('fraud: ad requests of a session', () => {
  plain.use();

  it('30 a minute pass; further ones get a no-fill no_eligible_campaign, even when sent at once', async () => {
    const phone = await plain.phone(asked.app);
    const answers = await atOnce(45, () => phone.request('banner'));
    const fills = answers.filter((answer) => answer.body.status === 'fill');
    expect(fills.length).to.equal(30);
    for (const answer of answers)
      if (answer.body.status !== 'fill') expectNoFill(answer, 'no_eligible_campaign');
    expectNoFill(await phone.request('interstitial'), 'no_eligible_campaign');
    expect((await (await plain.phone(asked.app)).request('banner')).body.status).to.equal('fill');
  });

  it('count only those that reached the check, including test requests', async () => {
    const phone = await plain.phone(asked.app, { test_mode: true });
    await inTurns(20, WIDTH, () => phone.request('banner', { test_force_no_fill: true }));
    await inTurns(20, WIDTH, () => phone.request('banner', { placement: 'nowhere' }));
    const answers = await inTurns(32, WIDTH, () => phone.request('banner'));
    const fills = answers.filter((answer) => answer.body.status === 'fill');
    expect(fills.length).to.equal(30);
  });
});

const world = new World('fraud');

/** Enough full-screen and banner placements to reach the limit of the whole session. */
const many: readonly PlacementEntry[] = [
  ...['slow', 'b1', 'b2', 'b3'].map((code) => ({
    code: `${code}_x`,
    format: 'banner',
    banner_refresh_seconds: 30,
  })),
  { code: 'odd_refresh', format: 'banner', banner_refresh_seconds: 77 },
  { code: 'level_end', format: 'interstitial' },
  { code: 'extra_life', format: 'rewarded' },
];
const { app } = world.pair({ balance: 10_000 }, { placements: [...many] });

/** Fills one placement and reports each impression; returns the accepted fills. The rest must be suspicious. */
async function show(phone: Phone, placement: string, format: Format, count: number): Promise<Fill[]> {
  const shown = await inTurns(count, WIDTH, async () => {
    const fill = await phone.fill(format, { placement });
    const answer = await phone.impression(fill);
    if (answer.status === 200) return fill;
    expectRejected(answer, 'suspicious');
    return null;
  });
  return shown.filter((fill) => fill !== null);
}

describe('fraud: impressions of a session', () => {
  world.use();

  it('60 an hour pass per full-screen placement; the next is suspicious, and other placements are not affected', async () => {
    const phone = await world.phone(app);
    expect((await show(phone, 'level_end', 'interstitial', 65)).length).to.equal(60);
    expect((await show(phone, 'extra_life', 'rewarded', 62)).length).to.equal(60);
    expect((await show(phone, 'slow_x', 'banner', 3)).length).to.equal(3);
    const other = await world.phone(app);
    expect((await show(other, 'level_end', 'interstitial', 1)).length).to.equal(1);
  });

  it('3600 / refresh seconds x 1.5 an hour pass per banner placement, rounded down', async () => {
    const phone = await world.phone(app);
    expect((await show(phone, 'odd_refresh', 'banner', 74)).length).to.equal(70);
    expect((await show(phone, 'slow_x', 'banner', 184)).length).to.equal(180);
  }).timeout(40_000);

  it('720 an hour pass over all placements', async () => {
    const phone = await world.phone(app);
    for (const code of ['slow_x', 'b1_x', 'b2_x', 'b3_x']) {
      expect((await show(phone, code, 'banner', 180)).length, code).to.equal(180);
    }
    expect((await show(phone, 'level_end', 'interstitial', 2)).length).to.equal(0);
  }).timeout(60_000);

  it('exactly as many pass when all are reported simultaneously', async () => {
    const phone = await world.phone(app);
    const fills = await phone.fills(70, 'interstitial');
    const answers = await atOnce(70, (index) => phone.impression(fills[index]!));
    expect(answers.filter((answer) => answer.status === 200).length).to.equal(60);
  });

  it('a suspicious verdict is final: the same impression stays suspicious, and its click answers no_impression', async () => {
    const phone = await world.phone(app);
    const fills = await phone.fills(61, 'interstitial');
    for (const fill of fills.slice(0, 60)) await phone.impression(fill);
    const last = fills[60]!;
    expectRejected(await phone.impression(last), 'suspicious');
    expectRejected(await phone.impression(last), 'suspicious');
    expectRejected(await phone.click(last), 'no_impression');
    expectRejected(await phone.impression(fills[0]!), 'duplicate');
  });

  it('test ads count like others within their session', async () => {
    const phone = await world.phone(app, { test_mode: true });
    expect((await show(phone, 'level_end', 'interstitial', 61)).length).to.equal(60);
  });
});

describe('fraud: clicks of a session', () => {
  world.use();

  async function shownFills(count: number): Promise<{ phone: Phone; fills: Fill[] }> {
    const phone = await world.phone(app);
    const fills = await show(phone, 'slow_x', 'banner', count);
    expect(fills.length).to.equal(count);
    await pass(CLICK_WAIT_MS);
    return { phone, fills };
  }

  it('20 an hour pass, the 21st is suspicious and stays suspicious', async () => {
    const { phone, fills } = await shownFills(60);
    for (const fill of fills.slice(0, 20)) expectAccepted(await phone.click(fill));
    expectRejected(await phone.click(fills[20]!), 'suspicious');
    expectRejected(await phone.click(fills[20]!), 'suspicious');
    expectRejected(await phone.click(fills[0]!), 'duplicate');
  });

  it('exactly 20 of many simultaneous clicks pass', async () => {
    const { phone, fills } = await shownFills(60);
    const answers = await atOnce(30, (index) => phone.click(fills[index]!));
    expect(answers.filter((answer) => answer.status === 200).length).to.equal(20);
  });

  it('a click that would raise the rate above 50 % is suspicious once the session has 10 impressions', async () => {
    const { phone, fills } = await shownFills(10);
    for (const fill of fills.slice(0, 5)) expectAccepted(await phone.click(fill));
    expectRejected(await phone.click(fills[5]!), 'suspicious');
    const more = await show(phone, 'slow_x', 'banner', 2);
    await pass(CLICK_WAIT_MS);
    expectAccepted(await phone.click(more[0]!));
    expectRejected(await phone.click(more[1]!), 'suspicious');
    expectRejected(await phone.click(fills[5]!), 'suspicious');
  });

  it('a session of fewer than 10 impressions may click on all of them', async () => {
    const { phone, fills } = await shownFills(9);
    for (const fill of fills) expectAccepted(await phone.click(fill));
  });

  it('rejected clicks do not count', async () => {
    const phone = await world.phone(app);
    const fills = await show(phone, 'slow_x', 'banner', 12);
    await Promise.all(
      fills.slice(6).map(async (fill) => expectRejected(await phone.click(fill), 'suspicious')),
    );
    await pass(CLICK_WAIT_MS);
    for (const fill of fills.slice(0, 6)) expectAccepted(await phone.click(fill));
  });
});
