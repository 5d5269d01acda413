import { expect } from 'chai';
import { expectAccepted, expectInvalid, expectRejected, expectRewarded } from '../driver/expect.js';
import { atOnce, pass } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app } = world.pair();

describe('POST /events/reward', () => {
  world.use();

  for (const completion of [true, false]) {
    it(`repeats completion ${completion} in the answer, and the first report counts`, async () => {
      const phone = await world.phone(app);
      const fill = await phone.fill('rewarded');
      expectAccepted(await phone.impression(fill));
      expectRewarded(await phone.reward(fill, completion), completion);
      expectRejected(await phone.reward(fill, !completion), 'duplicate');
      expectRejected(await phone.reward(fill, true), 'duplicate');
    });
  }

  it('is accepted once when six are sent simultaneously, and the answer repeats that request’s completion', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('rewarded');
    expectAccepted(await phone.impression(fill));
    const answers = await atOnce(6, (index) => phone.reward(fill, index % 2 === 0));
    const accepted = answers.flatMap((answer, index) => (answer.status === 200 ? [{ answer, index }] : []));
    expect(accepted.length).to.equal(1);
    expectRewarded(accepted[0]!.answer, accepted[0]!.index % 2 === 0);
    for (const answer of answers) if (answer.status !== 200) expectRejected(answer, 'duplicate');
    expectRejected(await phone.reward(fill, true), 'duplicate');
  });

  it('answers invalid_token on a placement that is not rewarded, before and after the impression', async () => {
    const phone = await world.phone(app);
    for (const format of ['banner', 'interstitial'] as const) {
      const fill = await phone.fill(format);
      expectRejected(await phone.reward(fill, true), 'invalid_token');
      expectAccepted(await phone.impression(fill));
      expectRejected(await phone.reward(fill, true), 'invalid_token');
    }
  });

  it('compares the request id before it checks the placement', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    const answer = await phone.event('reward', fill, { request_id: 'req_other', completion: true });
    expectRejected(answer, 'request_mismatch');
  });

  it('answers no_impression before the impression, and does not change the ad', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('rewarded');
    expectRejected(await phone.reward(fill, true), 'no_impression');
    expectAccepted(await phone.impression(fill));
    expectRewarded(await phone.reward(fill, true), true);
  });

  it('and the click of one impression are independent of each other', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('rewarded');
    expectAccepted(await phone.impression(fill));
    expectRewarded(await phone.reward(fill, true), true);
    await pass(1_050);
    expectAccepted(await phone.click(fill));
    expectRejected(await phone.reward(fill, true), 'duplicate');
    expectRejected(await phone.click(fill), 'duplicate');
  });

  it('needs completion as a boolean', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('rewarded');
    for (const completion of [undefined, null, 'true', 1, 0, '', {}]) {
      expectInvalid(await phone.event('reward', fill, { completion }), ['completion']);
    }
  });
});
