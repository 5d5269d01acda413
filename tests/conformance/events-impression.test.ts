import { expect } from 'chai';
import { FORGED_TOKENS, INVALID_TOKENS, respellings } from '../driver/bad-tokens.js';
import { freshWord } from '../driver/catalog.js';
import { expectAccepted, expectError, expectInvalid, expectRejected } from '../driver/expect.js';
import { atOnce, inTurns, pass, waitForRoomInMinute } from '../driver/phone.js';
import { SHORT } from '../driver/product.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app } = world.pair();

describe('POST /events/impression', () => {
  world.use();

  it('accepts an impression once, and answers 409 duplicate from then on', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectAccepted(await phone.impression(fill));
    for (let again = 0; again < 3; again += 1) expectRejected(await phone.impression(fill), 'duplicate');
  });

  it('accepts one of twenty identical impressions sent at once, and the 21st is over the limit', async () => {
    const phone = await world.phone(app);
    const fills = await phone.fills(25, 'banner');
    for (const fill of fills) {
      await waitForRoomInMinute(3_000);
      const answers = await atOnce(20, () => phone.impression(fill));
      const statuses = answers.map((answer) => answer.status).sort();
      expect(statuses).to.deep.equal([200, ...new Array<number>(19).fill(409)]);
      expectError(await phone.impression(fill), 429, 'rate_limited');
    }
  });

  it('does not need the session: another network and another connection may report it', async () => {
    const fill = await (await world.phone(app)).fill('banner');
    const answer = await world.post('/v1/events/impression', {
      request_id: fill.requestId,
      impression_token: fill.token,
    });
    expectAccepted(answer);
  });

  it('answers request_mismatch when the token belongs to another request id', async () => {
    const phone = await world.phone(app);
    const [one, other] = await phone.fills(2, 'banner');
    expectRejected(
      await phone.event('impression', one!, { request_id: other!.requestId }),
      'request_mismatch',
    );
    expectRejected(await phone.event('impression', one!, { request_id: 'x' }), 'request_mismatch');
    expectRejected(
      await phone.event('impression', one!, { request_id: one!.requestId.toUpperCase() }),
      'request_mismatch',
    );
  });

  it('answers request_mismatch also for a used token, and changes nothing', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectRejected(await phone.event('impression', fill, { request_id: 'req_other' }), 'request_mismatch');
    expectAccepted(await phone.impression(fill));
    expectRejected(await phone.event('impression', fill, { request_id: 'req_other' }), 'request_mismatch');
  });

  it('accepts tokens of 2048 characters and request ids of 64', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    expectRejected(await phone.event('impression', fill, { request_id: 'r'.repeat(64) }), 'request_mismatch');
    expectInvalid(await phone.event('impression', fill, { request_id: 'r'.repeat(65) }), ['request_id']);
  });

  it('never answers 500 to odd request ids', async () => {
    const phone = await world.phone(app);
    const fill = await phone.fill('banner');
    for (const request_id of ['\u0000', '\ud800', ' ', '\u{1F600}', "'; --"]) {
      const answer = await phone.event('impression', fill, { request_id });
      expect(answer.status, answer.text).to.equal(422);
    }
    expectAccepted(await phone.impression(fill));
  });
});

for (const kind of ['impression', 'click', 'reward'] as const) {
  describe(`POST /events/${kind}: tokens and fields`, () => {
    world.use();
    const extra = kind === 'reward' ? { completion: true } : {};
    // Each attempt has its own request id, since one id may be tried only 20 times a minute.
    const placeholder = () => ({ request_id: `req_${freshWord()}`, impression_token: 'x', ...extra });

    for (const [name, token] of FORGED_TOKENS) {
      it(`answers 422 invalid_token to ${name}`, async () => {
        const answer = await world.post(`/v1/events/${kind}`, { ...placeholder(), impression_token: token });
        expect(answer.status, answer.text).to.equal(422);
        // A text that is not valid Unicode may be refused as a field or as a token.
        if (!/control|surrogate/.test(name)) expectRejected(answer, 'invalid_token');
      });
    }
    for (const [name, token] of INVALID_TOKENS) {
      it(`answers 422 validation_failed to an impression_token that is ${name}`, async () => {
        const answer = await world.post(`/v1/events/${kind}`, { ...placeholder(), impression_token: token });
        expectInvalid(answer, ['impression_token']);
      });
    }

    it('answers 422 invalid_token to every other spelling of a genuine token', async () => {
      const phone = await world.phone(app);
      const fill = await phone.fill('rewarded');
      for (const [name, impression_token] of respellings(fill.token)) {
        const answer = await phone.event(kind, fill, { ...extra, impression_token });
        expect(answer.body.reason, `${name}: ${answer.text}`).to.equal('invalid_token');
      }
    });

    it('answers 422 invalid_token to a session token', async () => {
      const phone = await world.phone(app);
      const fill = await phone.fill('rewarded');
      const answer = await phone.event(kind, fill, { ...extra, impression_token: phone.token });
      expectRejected(answer, 'invalid_token');
    });

    it('answers 422 validation_failed listing every missing or wrong field', async () => {
      const required = ['impression_token', 'request_id', ...Object.keys(extra)];
      expectInvalid(await world.post(`/v1/events/${kind}`, {}), required);
      const nulls = Object.fromEntries(required.map((field) => [field, null]));
      expectInvalid(await world.post(`/v1/events/${kind}`, nulls), required);
      const wrong = Object.fromEntries(required.map((field) => [field, 1]));
      expectInvalid(await world.post(`/v1/events/${kind}`, wrong), required);
      expectInvalid(await world.post(`/v1/events/${kind}`, { ...placeholder(), request_id: '' }), [
        'request_id',
      ]);
    });
  });
}

const short = new World('short');
const brief = short.pair();

describe('POST /events/impression: expiry', () => {
  short.use();

  it('answers 422 expired_token after expires_at, or 409 duplicate when it was accepted before', async () => {
    const phone = await short.phone(brief.app);
    const [shown, late] = await phone.fills(2, 'banner');
    expectAccepted(await phone.impression(shown!));
    await pass(Date.parse(late!.ad.expires_at) + 50 - Date.now());
    expectRejected(await phone.impression(late!), 'expired_token');
    expectRejected(await phone.impression(late!), 'expired_token');
    expectRejected(await phone.impression(shown!), 'duplicate');
    expectRejected(await phone.event('impression', late!, { request_id: 'req_other' }), 'request_mismatch');
  });

  it('leaves the ad unused after its expiry: its click and reward answer no_impression until they expire', async () => {
    const phone = await short.phone(brief.app);
    const fill = await phone.fill('rewarded');
    await pass(Date.parse(fill.ad.expires_at) + 50 - Date.now());
    expectRejected(await phone.impression(fill), 'expired_token');
    expectRejected(await phone.click(fill), 'no_impression');
    expectRejected(await phone.reward(fill, true), 'no_impression');
    await pass(Date.parse(fill.ad.expires_at) + SHORT.windowSeconds * 1_000 + 50 - Date.now());
    expectRejected(await phone.click(fill), 'expired_token');
    expectRejected(await phone.reward(fill, true), 'expired_token');
  });

  it('is accepted up to the last moment, for each of many ads', async () => {
    const phone = await short.phone(brief.app);
    const fills = await phone.fills(10, 'banner');
    const last = Math.min(...fills.map((fill) => Date.parse(fill.ad.expires_at)));
    await pass(last - 600 - Date.now());
    const answers = await inTurns(fills.length, 10, (index) => phone.impression(fills[index]!));
    expect(answers.map((answer) => answer.status)).to.deep.equal(fills.map(() => 200));
  });
});
