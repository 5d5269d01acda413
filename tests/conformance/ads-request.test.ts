import { expect } from 'chai';
import { FORMATS } from '../driver/catalog.js';
import { expectError, expectInvalid, expectNoFill, fillOf } from '../driver/expect.js';
import { send } from '../driver/http.js';
import { atOnce, pass } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app, campaign } = world.pair();
const empty = world.app();
const other = world.app();
const unapproved = world.app({ approved: false });
const switchedOff = world.app({ serving_enabled: false });

describe('POST /ads/request: a fill', () => {
  world.use();

  for (const format of FORMATS) {
    it(`carries every field of the ${format} ad and nothing more`, async () => {
      const phone = await world.phone(app);
      const askedAt = Date.now();
      const answer = await phone.request(format);
      const fill = fillOf(answer);
      const creative = campaign.creatives.find((candidate) => candidate.format === format)!;
      expect(answer.body).to.have.all.keys('status', 'request_id', 'ad');
      expect(fill.requestId).to.match(/^req_[A-Za-z0-9_-]{1,60}$/);
      expect(fill.ad.id).to.match(/^ad_[A-Za-z0-9_-]+$/);
      expect(fill.token).to.be.a('string').with.length.within(1, 2048);
      expect(fill.ad.expires_at).to.match(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
      expect(Date.parse(fill.ad.expires_at)).to.be.within(askedAt + 1_799_000, Date.now() + 1_801_000);
      expect({ ...fill.ad, id: '', impression_token: '', expires_at: '' }).to.deep.equal({
        id: '',
        campaign_id: campaign.id,
        creative_id: creative.id,
        format,
        creative_type: creative.type,
        creative_url: creative.url,
        click_url: creative.click_url,
        width: creative.width,
        height: creative.height,
        duration_seconds: creative.duration_seconds,
        impression_token: '',
        expires_at: '',
        test: false,
      });
    });
  }

  it('has its own request id, ad id and token under simultaneous requests, and each impression counts once', async () => {
    const phone = await world.phone(app);
    const first = await phone.fill('banner');
    await pass(50);
    const fills = [first, await phone.fill('banner'), ...(await atOnce(10, () => phone.fill('banner')))];
    for (const key of ['requestId', 'token'] as const) {
      expect(new Set(fills.map((fill) => fill[key])).size, key).to.equal(fills.length);
    }
    expect(new Set(fills.map((fill) => fill.ad.id)).size).to.equal(fills.length);
    const answers = await Promise.all(fills.map((fill) => phone.impression(fill)));
    expect(answers.map((answer) => answer.status)).to.deep.equal(fills.map(() => 200));
  });

  it('never shows money in an answer or in a readable part of a token', async () => {
    const phone = await world.phone(app);
    const answer = await phone.request('banner');
    const token = answer.body.ad.impression_token;
    const readable = token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ');
    const text = answer.text.replace(token, '') + readable;
    expect(text).to.not.match(/cost|nanos|bid|cpm|price|revenue|share|budget|balance|2500000|1750000/i);
    expect(readable).to.not.contain(campaign.id).and.not.contain(app.id);
  });

  it('is the same in a compressed answer and on a kept-alive connection', async () => {
    const phone = await world.phone(app);
    const answer = await phone.post(
      '/v1/ads/request',
      { app_key: app.app_key, placement: 'home_banner', format: 'banner', session_token: phone.token },
      { 'accept-encoding': 'gzip' },
    );
    expect(answer.status).to.equal(200);
    expect(answer.headers['cache-control']).to.equal('no-store, private');
    expect(answer.headers.connection ?? 'keep-alive').to.equal('keep-alive');
  });
});

describe('POST /ads/request: a no-fill', () => {
  world.use();

  it('names the request, the fallback of the placement and the reason', async () => {
    const phone = await world.phone(empty);
    expectNoFill(await phone.request('banner'), 'no_eligible_campaign', 'partner');
  });

  it('answers test_no_fill on request, in a live and in a test session', async () => {
    for (const test_mode of [false, true]) {
      const phone = await world.phone(app, { test_mode });
      expectNoFill(await phone.request('banner', { test_force_no_fill: true }), 'test_no_fill');
    }
  });

  it('gives every no-fill a request id of its own', async () => {
    const phone = await world.phone(empty);
    const answers = await atOnce(5, () => phone.request('banner'));
    expect(new Set(answers.map((answer) => answer.body.request_id)).size).to.equal(5);
  });
});

describe('POST /ads/request: the order of the checks', () => {
  world.use();

  it('checks the session before the app key', async () => {
    const phone = await world.phone(app);
    const unknown = { app_key: 'app_000000000000000000000000' };
    expectError(await phone.request('banner', { ...unknown, session_token: 'x' }), 401, 'invalid_session');
    expectError(await phone.request('banner', unknown), 401, 'invalid_app_key');
    expectError(await phone.request('banner', { app_key: 'odd' }), 401, 'invalid_app_key');
  });

  it('answers 401 invalid_session to a session of another app', async () => {
    const phone = await world.phone(app);
    expectError(await phone.request('banner', { app_key: other.app_key }), 401, 'invalid_session');
    expectError(await phone.request('banner', { app_key: unapproved.app_key }), 401, 'invalid_session');
  });

  it('answers 403 app_not_approved before it looks for the placement', async () => {
    const phone = await world.phone(app);
    app.approved = false;
    try {
      await world.apply();
      expectError(await phone.request('banner', { placement: 'nowhere' }), 403, 'app_not_approved');
    } finally {
      app.approved = true;
      await world.apply();
    }
  });

  it('answers 404 placement_not_found before it compares formats', async () => {
    const phone = await world.phone(app);
    for (const placement of ['nowhere', 'NOT/A CODE', 'home_banner ', 'HOME_BANNER', 'x'.repeat(64)]) {
      expectError(await phone.request('rewarded', { placement }), 404, 'placement_not_found');
    }
  });

  it('answers 422 format_mismatch, also when a no-fill is forced or the app is switched off', async () => {
    const mismatch = { placement: 'home_banner', format: 'interstitial', test_force_no_fill: true };
    expectError(await (await world.phone(app)).request('banner', mismatch), 422, 'format_mismatch');
    expectError(await (await world.phone(switchedOff)).request('banner', mismatch), 422, 'format_mismatch');
  });

  it('forces the no-fill before it checks the kill switches', async () => {
    const phone = await world.phone(switchedOff);
    expectNoFill(await phone.request('banner', { test_force_no_fill: true }), 'test_no_fill');
    expectNoFill(await phone.request('banner'), 'serving_disabled');
  });
});

describe('POST /ads/request: fields', () => {
  world.use();

  const long = (length: number): string => '\u{1F600}'.repeat(length);
  const bad: readonly (readonly [name: string, field: string, value: unknown])[] = [
    ['no app_key', 'app_key', undefined],
    ['app_key null', 'app_key', null],
    ['app_key of 65 characters', 'app_key', 'a'.repeat(65)],
    ['no placement', 'placement', undefined],
    ['placement empty', 'placement', ''],
    ['placement of 65 characters', 'placement', 'p'.repeat(65)],
    ['placement a number', 'placement', 7],
    ['no format', 'format', undefined],
    ['format null', 'format', null],
    ['an unknown format', 'format', 'native'],
    ['a format in capitals', 'format', 'BANNER'],
    ['no session_token', 'session_token', undefined],
    ['session_token empty', 'session_token', ''],
    ['session_token of 2049 characters', 'session_token', 'A'.repeat(2049)],
    ['session_token a number', 'session_token', 1],
    ['session_token an object', 'session_token', {}],
    ['language of 36 code points', 'language', long(36)],
    ['language a list', 'language', ['en']],
    ['android_version of 33 code points', 'android_version', long(33)],
    ['android_version a number', 'android_version', 14],
    ['app_version of 65 code points', 'app_version', long(65)],
    ['sdk_version of 33 code points', 'sdk_version', long(33)],
    ['screen_width -1', 'screen_width', -1],
    ['screen_width 20001', 'screen_width', 20001],
    ['screen_width 1080.5', 'screen_width', 1080.5],
    ['screen_width "1080"', 'screen_width', '1080'],
    ['screen_height 20001', 'screen_height', 20001],
    ['screen_height true', 'screen_height', true],
    ['test_mode "true"', 'test_mode', 'true'],
    ['test_mode 1', 'test_mode', 1],
    ['test_force_no_fill "yes"', 'test_force_no_fill', 'yes'],
  ];
  for (const [name, field, value] of bad) {
    it(`answers 422 validation_failed to ${name}`, async () => {
      const phone = await world.phone(app);
      expectInvalid(await phone.request('banner', { [field]: value }), [field]);
    });
  }

  it('lists all invalid fields in one answer', async () => {
    const phone = await world.phone(app);
    const answer = await phone.request('banner', {
      app_key: '',
      format: 'x',
      screen_width: 0.5,
      test_mode: 'no',
    });
    expectInvalid(answer, ['app_key', 'format', 'screen_width', 'test_mode']);
  });

  const good: readonly (readonly [name: string, fields: Record<string, unknown>])[] = [
    [
      'every optional field null',
      {
        language: null,
        android_version: null,
        app_version: null,
        sdk_version: null,
        screen_width: null,
        screen_height: null,
        test_mode: null,
        test_force_no_fill: null,
      },
    ],
    ['empty optional strings', { language: '', android_version: '', app_version: '', sdk_version: '' }],
    ['the greatest lengths, counted in code points', { language: long(35), android_version: long(32) }],
    ['informational versions of the greatest length', { app_version: long(64), sdk_version: long(32) }],
    ['the smallest and the greatest screen', { screen_width: 20000, screen_height: 20000 }],
    ['a screen of 0 × 0', { screen_width: 0, screen_height: 0 }],
    ['unknown fields', { gaid: 'x', toString: 1 }],
  ];
  for (const [name, fields] of good) {
    it(`fills with ${name}`, async () => {
      await (await world.phone(app)).fill('banner', fields);
    });
  }

  it('accepts 1080.0 as an integer', async () => {
    const phone = await world.phone(app);
    const body = JSON.stringify({
      app_key: app.app_key,
      placement: 'home_banner',
      format: 'banner',
      session_token: phone.token,
      screen_width: 1080,
    }).replace('1080', '1080.0');
    const answer = await send(world.url, {
      path: '/v1/ads/request',
      headers: { ...phone.headers, 'content-type': 'application/json' },
      body,
    });
    fillOf(answer);
  });
});
