import { expect } from 'chai';
import { expectAccepted, expectRejected } from '../driver/expect.js';
import { atOnce, pass } from '../driver/phone.js';
import { SHORT } from '../driver/product.js';
import { World } from '../driver/world.js';

/** A little more than the least time between an impression and its click. */
const CLICK_WAIT_MS = 1_050;

const world = new World('plain');
const { app } = world.pair();

describe('POST /events/click', () => {
  world.use();

  it('is accepted once, a second or more after the accepted impression, for every format', async () => {
    const phone = await world.phone(app);
    const fills = [
      await phone.fill('banner'),
      await phone.fill('interstitial'),
      await phone.fill('rewarded'),
    ];
    for (const fill of fills) expectAccepted(await phone.impression(fill));
    await pass(CLICK_WAIT_MS);
    for (const fill of fills) expectAccepted(await phone.click(fill));
    for (const fill of fills) expectRejected(await phone.click(fill), 'duplicate');
  });

  it('answers no_impression before the impression, and does not change the ad', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectRejected(await phone.click(fill), 'no_impression');
    expectRejected(await phone.click(fill), 'no_impression');
    expectAccepted(await phone.impression(fill));
    await pass(CLICK_WAIT_MS);
    expectAccepted(await phone.click(fill));
  });

  it('is accepted once when five are sent simultaneously', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectAccepted(await phone.impression(fill));
    await pass(CLICK_WAIT_MS);
    const answers = await atOnce(5, () => phone.click(fill));
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, 409, 409, 409, 409]);
  });

  it('within a second of the impression is suspicious, and stays suspicious when it is sent again later', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectAccepted(await phone.impression(fill));
    expectRejected(await phone.click(fill), 'suspicious');
    await pass(CLICK_WAIT_MS);
    expectRejected(await phone.click(fill), 'suspicious');
    expectRejected(await phone.impression(fill), 'duplicate');
  });

  it('belongs to its request: another request id answers request_mismatch', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectAccepted(await phone.impression(fill));
    expectRejected(await phone.event('click', fill, { request_id: 'req_other' }), 'request_mismatch');
  });
});

const short = new World('short');
const brief = short.pair();

describe('POST /events/click: the window after expiry', () => {
  short.use();

  it('is accepted after the ad expired, while the window is open', async () => {
    const phone = await short.phone(brief.app);
    const fill = await phone.fill('banner');
    expectAccepted(await phone.impression(fill));
    await pass(Date.parse(fill.ad.expires_at) + 300 - Date.now());
    expectAccepted(await phone.click(fill));
  });

  it('answers expired_token after the window in every state: clicked, shown, and never shown', async () => {
    const phone = await short.phone(brief.app);
    const [clicked, shown, issued] = await phone.fills(3, 'rewarded');
    expectAccepted(await phone.impression(clicked!));
    expectAccepted(await phone.impression(shown!));
    await pass(SHORT.clickDelayMs + 50);
    expectAccepted(await phone.click(clicked!));
    await pass(Date.parse(issued!.ad.expires_at) + SHORT.windowSeconds * 1_000 + 50 - Date.now());
    for (const fill of [clicked!, shown!, issued!]) {
      expectRejected(await phone.click(fill), 'expired_token');
      expectRejected(await phone.reward(fill, true), 'expired_token');
    }
    expectRejected(await phone.impression(clicked!), 'duplicate');
  });
});
