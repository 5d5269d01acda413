import { expect } from 'chai';
import { openGatewayWithoutLimits, type TestGateway } from './gateway.js';
import { expectInvalid, expectSdkAnswer, post, send, VALID_BODIES, validBody } from './http.js';

const PATHS = Object.keys(VALID_BODIES);
const INITIALIZE = '/v1/sdk/initialize';
const ADS = '/v1/ads/request';

describe('the fields of requests', () => {
  let gateway: TestGateway;
  const to = (path: string, body?: object | string | Buffer, headers = {}) =>
    post(gateway.url, path, body, headers);

  before(async () => {
    gateway = await openGatewayWithoutLimits();
  });
  after(() => gateway.close());

  for (const path of PATHS) {
    it(`${path} accepts a valid body`, async () => {
      expect((await to(path, validBody(path))).status).to.equal(200);
    });

    it(`${path} lists every required field for an empty body, with any content type`, async () => {
      const required = Object.keys(VALID_BODIES[path]!);
      expectInvalid(await to(path, ''), required);
      expectInvalid(await to(path, '{}'), required);
      for (const type of ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
        expectInvalid(await to(path, '', { 'Content-Type': type }), required);
      }
      const bare = await send(gateway.url, { method: 'POST', path });
      expectSdkAnswer(bare);
      expectInvalid(bare, required);
      const chunked = await send(gateway.url, { method: 'POST', path, body: [] });
      expectInvalid(chunked, required);
      expectInvalid(await to(path, '', { 'Content-Encoding': 'gzip' }), required);
    });

    it(`${path} refuses null, another type and an empty text in every required field`, async () => {
      for (const field of Object.keys(VALID_BODIES[path]!)) {
        expectInvalid(await to(path, validBody(path, { [field]: null })), [field]);
        expectInvalid(await to(path, validBody(path, { [field]: 5 })), [field]);
        expectInvalid(await to(path, validBody(path, { [field]: {} })), [field]);
        expectInvalid(await to(path, validBody(path, { [field]: '' })), [field]);
      }
    });

    it(`${path} ignores unknown fields`, async () => {
      expect(
        (await to(path, validBody(path, { brand_new: [1], constructor: 1, toString: null }))).status,
      ).to.equal(200);
    });
  }

  it('the last of equal keys is used', async () => {
    const json = JSON.stringify(validBody(INITIALIZE)).replace('{', '{"app_key":5,');
    expect((await to(INITIALIZE, json)).status).to.equal(200);
    expectInvalid(await to(INITIALIZE, json.replace(/}$/, ',"app_key":5}')), ['app_key']);
  });

  it('__proto__ and constructor set no fields', async () => {
    const json = `{"__proto__":${JSON.stringify(validBody(INITIALIZE))},"constructor":{"prototype":{"app_key":"x"}}}`;
    expectInvalid(await to(INITIALIZE, json), ['app_key', 'package_name']);
    expect(({} as { app_key?: string }).app_key).to.equal(undefined);
  });

  it('an optional field that is null equals one that is absent', async () => {
    const nulls = { sdk_version: null, app_version: null, platform: null, os_version: null, test_mode: null };
    expect((await to(INITIALIZE, validBody(INITIALIZE, nulls))).status).to.equal(200);
    const more = {
      language: null,
      android_version: null,
      screen_width: null,
      screen_height: null,
      test_mode: null,
      test_force_no_fill: null,
    };
    expect((await to(ADS, validBody(ADS, more))).status).to.equal(200);
    expect(gateway.peers.received.at(-1)?.request).to.include({
      language: undefined,
      screenWidth: undefined,
      testMode: false,
    });
  });

  it('an empty optional text counts as absent, except platform', async () => {
    expect((await to(ADS, validBody(ADS, { language: '', android_version: '' }))).status).to.equal(200);
    expect(gateway.peers.received.at(-1)?.request).to.include({
      language: undefined,
      androidVersion: undefined,
    });
    expectInvalid(await to(INITIALIZE, validBody(INITIALIZE, { platform: '' })), ['platform']);
  });

  it('platform must be android or absent', async () => {
    expect((await to(INITIALIZE, validBody(INITIALIZE, { platform: 'android' }))).status).to.equal(200);
    for (const platform of ['Android', 'ios', 'android ', 5, true]) {
      expectInvalid(await to(INITIALIZE, validBody(INITIALIZE, { platform })), ['platform']);
    }
  });

  it('types are never coerced', async () => {
    for (const wrong of ['true', 1, 0, 'false']) {
      expectInvalid(await to(INITIALIZE, validBody(INITIALIZE, { test_mode: wrong })), ['test_mode']);
      expectInvalid(await to('/v1/events/reward', validBody('/v1/events/reward', { completion: wrong })), [
        'completion',
      ]);
    }
    for (const wrong of ['1080', 1080.5, true, [1080], -1, 20_001]) {
      expectInvalid(await to(ADS, validBody(ADS, { screen_width: wrong })), ['screen_width']);
    }
    const huge = JSON.stringify(validBody(ADS, { screen_width: 7 })).replace('7}', '1e999}');
    expectInvalid(await to(ADS, huge), ['screen_width']);
  });

  it('1080.0 is an integer; 0 and 20000 are within bounds', async () => {
    for (const [text, value] of [
      ['1080.0', 1_080],
      ['0', 0],
      ['-0', 0],
      ['2e4', 20_000],
    ] as const) {
      const json = JSON.stringify(validBody(ADS, { screen_width: 7 })).replace('7}', `${text}}`);
      expect((await to(ADS, json)).status, text).to.equal(200);
      expect(gateway.peers.received.at(-1)?.request).to.include({ screenWidth: value });
    }
  });

  it('lengths are counted in code points', async () => {
    const emoji = '😀';
    expect((await to(INITIALIZE, validBody(INITIALIZE, { sdk_version: emoji.repeat(32) }))).status).to.equal(
      200,
    );
    expectInvalid(await to(INITIALIZE, validBody(INITIALIZE, { sdk_version: emoji.repeat(33) })), [
      'sdk_version',
    ]);
  });

  const bounds: readonly [string, string, number][] = [
    [INITIALIZE, 'app_key', 64],
    [INITIALIZE, 'package_name', 255],
    [INITIALIZE, 'sdk_version', 32],
    [INITIALIZE, 'app_version', 64],
    [INITIALIZE, 'os_version', 32],
    [ADS, 'app_key', 64],
    [ADS, 'placement', 64],
    [ADS, 'session_token', 2_048],
    [ADS, 'language', 35],
    [ADS, 'android_version', 32],
    [ADS, 'app_version', 64],
    [ADS, 'sdk_version', 32],
    ['/v1/events/impression', 'request_id', 64],
    ['/v1/events/impression', 'impression_token', 2_048],
    ['/v1/events/click', 'impression_token', 2_048],
    ['/v1/events/reward', 'request_id', 64],
    ['/v1/events/fallback', 'session_token', 2_048],
    ['/v1/events/fallback', 'placement', 64],
  ];
  for (const [path, field, max] of bounds) {
    it(`${field} of ${path} may have at most ${max} characters`, async () => {
      expect((await to(path, validBody(path, { [field]: 'A'.repeat(max) }))).status).to.equal(200);
      expectInvalid(await to(path, validBody(path, { [field]: 'A'.repeat(max + 1) })), [field]);
    });
  }

  it('all invalid fields are listed', async () => {
    const body = { package_name: 5, platform: 'ios', sdk_version: 'x'.repeat(33), test_mode: 'yes' };
    expectInvalid(await to(INITIALIZE, body), [
      'app_key',
      'package_name',
      'platform',
      'sdk_version',
      'test_mode',
    ]);
  });

  it('app keys, placements and tokens of any form reach the service that checks them', async () => {
    for (const text of [
      'blah',
      'a.b.c',
      '..',
      ' ',
      'A'.repeat(64),
      '😀',
      '\u0000',
      '\ud800',
      '\u001b[2J',
      '{}',
      "'; --",
    ]) {
      expect(
        (await to(INITIALIZE, validBody(INITIALIZE, { app_key: text, package_name: text }))).status,
      ).to.equal(200);
      expect((await to(ADS, validBody(ADS, { placement: text, session_token: text }))).status).to.equal(200);
      const event = { request_id: text, impression_token: text };
      expect((await to('/v1/events/impression', event)).status).to.equal(200);
    }
    const lone = JSON.stringify(validBody(ADS)).replace('a.session.token', '\\ud800\\u0000');
    expect((await to(ADS, lone)).status).to.equal(200);
  });

  it('a fallback’s reason must be one of four, and the SDK’s internal `disabled` is refused', async () => {
    const path = '/v1/events/fallback';
    for (const reason of ['no_fill', 'timeout', 'error', 'creative_failed']) {
      expect((await to(path, validBody(path, { reason }))).status).to.equal(200);
    }
    for (const reason of ['disabled', 'NO_FILL', ' no_fill']) {
      expectInvalid(await to(path, validBody(path, { reason })), ['reason']);
    }
  });
});
