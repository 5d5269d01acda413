import { expect } from 'chai';
import { FORGED_TOKENS, INVALID_TOKENS } from '../driver/bad-tokens.js';
import { expectAccepted, expectError, expectInvalid } from '../driver/expect.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app } = world.pair();
const other = world.app({ placements: [{ code: 'elsewhere', format: 'banner' }] });

describe('POST /events/fallback', () => {
  world.use();

  for (const reason of ['no_fill', 'timeout', 'error', 'creative_failed']) {
    it(`accepts the reason ${reason} any number of times`, async () => {
      const phone = await world.phone(app);
      expectAccepted(await phone.fallback('home_banner', reason));
      expectAccepted(await phone.fallback('home_banner', reason));
    });
  }

  for (const reason of ['disabled', 'NO_FILL', '', ' no_fill', null, undefined, 1]) {
    it(`answers 422 validation_failed to the reason ${JSON.stringify(reason)}`, async () => {
      const phone = await world.phone(app);
      expectInvalid(await phone.fallback('home_banner', 'error', { reason }), ['reason']);
    });
  }

  it('answers 404 placement_not_found to a placement that the app of the session does not have', async () => {
    const phone = await world.phone(app);
    for (const placement of ['nowhere', 'elsewhere', 'NOT/A CODE', 'x'.repeat(64), 'HOME_BANNER']) {
      expectError(await phone.fallback(placement), 404, 'placement_not_found');
    }
    expectAccepted(await (await world.phone(other)).fallback('elsewhere'));
  });

  it('checks the session before the placement, and the fields before both', async () => {
    const phone = await world.phone(app);
    expectError(await phone.fallback('nowhere', 'error', { session_token: 'x' }), 401, 'invalid_session');
    expectInvalid(await phone.fallback('nowhere', 'odd', { session_token: 'x' }), ['reason']);
  });

  it('lists every missing field', async () => {
    expectInvalid(await world.post('/v1/events/fallback', {}), ['placement', 'reason', 'session_token']);
    const phone = await world.phone(app);
    for (const placement of [undefined, null, '', 'p'.repeat(65), 3]) {
      expectInvalid(await phone.fallback('x', 'error', { placement }), ['placement']);
    }
  });

  it('answers test sessions like live ones', async () => {
    const phone = await world.phone(app, { test_mode: true });
    expectAccepted(await phone.fallback('home_banner'));
    expectError(await phone.fallback('nowhere'), 404, 'placement_not_found');
  });
});

describe('session tokens at /ads/request and /events/fallback', () => {
  world.use();

  for (const [name, session_token] of FORGED_TOKENS) {
    it(`answer 401 invalid_session to ${name}`, async () => {
      const phone = await world.phone(app);
      for (const answer of [
        await phone.request('banner', { session_token }),
        await phone.fallback('home_banner', 'error', { session_token }),
      ]) {
        // A text that is not valid Unicode may be refused as a field or as a token.
        if (/control|surrogate/.test(name)) expect(answer.status, answer.text).to.be.oneOf([401, 422]);
        else expectError(answer, 401, 'invalid_session');
      }
    });
  }
  for (const [name, session_token] of INVALID_TOKENS) {
    it(`answer 422 validation_failed when it is ${name}`, async () => {
      const phone = await world.phone(app);
      expectInvalid(await phone.request('banner', { session_token }), ['session_token']);
      expectInvalid(await phone.fallback('home_banner', 'error', { session_token }), ['session_token']);
    });
  }
});
