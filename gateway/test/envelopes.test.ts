import { openTestRedis } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { openTestGateway, type TestGateway } from './gateway.js';
import { expectInvalid, expectSdkAnswer, post, send, VALID_BODIES } from './http.js';

const PATHS = Object.keys(VALID_BODIES);
const INITIALIZE = '/v1/sdk/initialize';
const ADS = '/v1/ads/request';
const LIMITS_OFF = JSON.stringify({
  'sdk.initialize': { network: 0, app_key: 0 },
  'ads.request': { session: 0, network: 0, app_key: 0 },
  events: { network: 0, request_id: 0 },
  'events.fallback': { session: 0, network: 0 },
});

describe('requests and envelopes', () => {
  let gateway: TestGateway;
  const valid = (path: string, more: object = {}) => ({ ...VALID_BODIES[path], ...more });
  const to = (path: string, body?: object | string | Buffer, headers = {}) =>
    post(gateway.url, path, body, headers);

  before(async () => {
    const { redis } = await openTestRedis();
    redis.disconnect();
    gateway = await openTestGateway({ env: { RATE_LIMITS: LIMITS_OFF } });
  });
  after(() => gateway.close());

  for (const path of PATHS) {
    it(`${path} takes a valid body`, async () => {
      expect((await to(path, valid(path))).status).to.equal(200);
    });

    it(`${path} lists every required field for an empty body, whatever it is called`, async () => {
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
        expectInvalid(await to(path, valid(path, { [field]: null })), [field]);
        expectInvalid(await to(path, valid(path, { [field]: 5 })), [field]);
        expectInvalid(await to(path, valid(path, { [field]: {} })), [field]);
        expectInvalid(await to(path, valid(path, { [field]: '' })), [field]);
      }
    });

    it(`${path} ignores fields that it does not know`, async () => {
      expect(
        (await to(path, valid(path, { brand_new: [1], constructor: 1, toString: null }))).status,
      ).to.equal(200);
    });
  }

  const bodies: readonly [string, string | Buffer][] = [
    ['{', '{'],
    ['{"a":}', '{"a":}'],
    ['single quotes', "{'app_key':'x'}"],
    ['a trailing comma', '{"app_key":"x",}'],
    ['NaN', 'NaN'],
    ['null', 'null'],
    ['true', 'true'],
    ['an array', '[]'],
    ['a text', '"x"'],
    ['1e999', '1e999'],
    ['10,000 nested arrays', '['.repeat(5_000) + ']'.repeat(5_000)],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['two byte-order marks', Buffer.from('\ufeff\ufeff{}')],
  ];
  for (const [name, body] of bodies) {
    it(`a body that is ${name} is 422 at fields.body, quickly`, async () => {
      const startedAt = performance.now();
      const answer = await to(INITIALIZE, body);
      expect(performance.now() - startedAt).to.be.lessThan(200);
      expectInvalid(answer, ['body']);
      expect(answer.text).not.to.match(/at |SyntaxError|position/);
    });
  }

  it('a byte-order mark before the JSON is accepted', async () => {
    expect((await to(INITIALIZE, Buffer.from(`\ufeff${JSON.stringify(valid(INITIALIZE))}`))).status).to.equal(
      200,
    );
    expectInvalid(await to(INITIALIZE, Buffer.from('\ufeff')), ['app_key', 'package_name']);
  });

  it('the content type must say JSON in UTF-8, in any harmless spelling', async () => {
    const withType = (type: string) => to(INITIALIZE, valid(INITIALIZE), { 'Content-Type': type });
    for (const type of [
      'application/json;charset=utf8',
      'APPLICATION/JSON; Charset="UTF-8"',
      'application/json;',
    ]) {
      expect((await withType(type)).status).to.equal(200);
    }
    const wrong = [
      'text/plain',
      'application/vnd.api+json',
      'application/json; charset=utf-16',
      'multipart/form-data',
    ];
    for (const type of wrong) expectInvalid(await withType(type), ['body']);
    const none = await send(gateway.url, {
      method: 'POST',
      path: INITIALIZE,
      body: JSON.stringify(valid(INITIALIZE)),
    });
    expectInvalid(none, ['body']);
  });

  it('bodies may be compressed with gzip, deflate and br', async () => {
    const json = Buffer.from(JSON.stringify(valid(INITIALIZE)));
    const encoded: [string, Buffer][] = [
      ['gzip', gzipSync(json)],
      ['GZIP', gzipSync(json)],
      ['deflate', deflateSync(json)],
      ['deflate', deflateRawSync(json)],
      ['br', brotliCompressSync(json)],
      ['identity', json],
    ];
    for (const [name, body] of encoded) {
      expect((await to(INITIALIZE, body, { 'Content-Encoding': name })).status, name).to.equal(200);
    }
  });

  it('another encoding and a broken one are 422 at fields.body', async () => {
    const json = JSON.stringify(valid(INITIALIZE));
    for (const name of ['zstd', 'gzip, br', 'constructor', 'gzip', 'deflate', 'br']) {
      expectInvalid(await to(INITIALIZE, json, { 'Content-Encoding': name }), ['body']);
    }
    const half = gzipSync(json).subarray(0, 30);
    expectInvalid(await to(INITIALIZE, half, { 'Content-Encoding': 'gzip' }), ['body']);
  });

  it('16 KiB pass and one byte more is 413, plain, chunked and decompressed', async () => {
    const bytes = (size: number) => {
      const empty = JSON.stringify(valid(INITIALIZE, { padding: '' }));
      return JSON.stringify(valid(INITIALIZE, { padding: 'x'.repeat(size - empty.length) }));
    };
    expect((await to(INITIALIZE, bytes(16_384))).status).to.equal(200);
    expectInvalid(await to(INITIALIZE, bytes(16_385)), ['body'], 413);
    const chunked = await send(gateway.url, { method: 'POST', path: INITIALIZE, body: [bytes(16_384), ' '] });
    expectInvalid(chunked, ['body'], 413);
    for (const [name, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      expect((await to(INITIALIZE, compress(bytes(16_384)), { 'Content-Encoding': name })).status).to.equal(
        200,
      );
      expectInvalid(
        await to(INITIALIZE, compress(bytes(16_385)), { 'Content-Encoding': name }),
        ['body'],
        413,
      );
      const bomb = compress(Buffer.alloc(8_000_000));
      expectInvalid(await to(INITIALIZE, bomb, { 'Content-Encoding': name }), ['body'], 413);
    }
  });

  it('a megabyte is refused without ending the connection for the client', async () => {
    const startedAt = performance.now();
    const body = JSON.stringify(valid(INITIALIZE, { sdk_version: 'x'.repeat(1_000_000) }));
    expectInvalid(await to(INITIALIZE, body), ['body'], 413);
    expect(performance.now() - startedAt).to.be.lessThan(1_000);
  });

  it('size is judged before the content type, that before the encoding, that before JSON, that before fields', async () => {
    const tooLarge = 'x'.repeat(20_000);
    expectInvalid(
      await to(INITIALIZE, tooLarge, { 'Content-Type': 'text/plain', 'Content-Encoding': 'zstd' }),
      ['body'],
      413,
    );
    const typed = await to(INITIALIZE, '{', { 'Content-Type': 'text/plain', 'Content-Encoding': 'zstd' });
    expect(typed.text).to.contain('Content-Type');
    const encoded = await to(INITIALIZE, '{', { 'Content-Encoding': 'zstd' });
    expect(encoded.text).to.contain('Content-Encoding');
    expect((await to(INITIALIZE, '{"app_key":5')).text).to.contain('valid JSON');
  });

  it('the last of equal keys counts', async () => {
    const json = JSON.stringify(valid(INITIALIZE)).replace('{', '{"app_key":5,');
    expect((await to(INITIALIZE, json)).status).to.equal(200);
    expectInvalid(await to(INITIALIZE, json.replace(/}$/, ',"app_key":5}')), ['app_key']);
  });

  it('__proto__ and constructor give no fields', async () => {
    const json = `{"__proto__":${JSON.stringify(valid(INITIALIZE))},"constructor":{"prototype":{"app_key":"x"}}}`;
    expectInvalid(await to(INITIALIZE, json), ['app_key', 'package_name']);
    expect(({} as { app_key?: string }).app_key).to.equal(undefined);
  });

  it('an optional field that is null equals one that is absent', async () => {
    const nulls = { sdk_version: null, app_version: null, platform: null, os_version: null, test_mode: null };
    expect((await to(INITIALIZE, valid(INITIALIZE, nulls))).status).to.equal(200);
    const more = {
      language: null,
      android_version: null,
      screen_width: null,
      screen_height: null,
      test_mode: null,
      test_force_no_fill: null,
    };
    expect((await to(ADS, valid(ADS, more))).status).to.equal(200);
    expect(gateway.peers.asked.at(-1)?.request).to.include({
      language: undefined,
      screenWidth: undefined,
      testMode: false,
    });
  });

  it('an empty optional text counts as absent, except platform', async () => {
    expect((await to(ADS, valid(ADS, { language: '', android_version: '' }))).status).to.equal(200);
    expect(gateway.peers.asked.at(-1)?.request).to.include({
      language: undefined,
      androidVersion: undefined,
    });
    expectInvalid(await to(INITIALIZE, valid(INITIALIZE, { platform: '' })), ['platform']);
  });

  it('platform is android or nothing', async () => {
    expect((await to(INITIALIZE, valid(INITIALIZE, { platform: 'android' }))).status).to.equal(200);
    for (const platform of ['Android', 'ios', 'android ', 5, true]) {
      expectInvalid(await to(INITIALIZE, valid(INITIALIZE, { platform })), ['platform']);
    }
  });

  it('types are never coerced', async () => {
    for (const wrong of ['true', 1, 0, 'false']) {
      expectInvalid(await to(INITIALIZE, valid(INITIALIZE, { test_mode: wrong })), ['test_mode']);
      expectInvalid(await to('/v1/events/reward', valid('/v1/events/reward', { completion: wrong })), [
        'completion',
      ]);
    }
    for (const wrong of ['1080', 1080.5, true, [1080], -1, 20_001]) {
      expectInvalid(await to(ADS, valid(ADS, { screen_width: wrong })), ['screen_width']);
    }
    const huge = JSON.stringify(valid(ADS, { screen_width: 7 })).replace('7}', '1e999}');
    expectInvalid(await to(ADS, huge), ['screen_width']);
  });

  it('1080.0 is an integer; 0 and 20000 are within bounds', async () => {
    for (const [text, value] of [
      ['1080.0', 1_080],
      ['0', 0],
      ['-0', 0],
      ['2e4', 20_000],
    ] as const) {
      const json = JSON.stringify(valid(ADS, { screen_width: 7 })).replace('7}', `${text}}`);
      expect((await to(ADS, json)).status, text).to.equal(200);
      expect(gateway.peers.asked.at(-1)?.request).to.include({ screenWidth: value });
    }
  });

  it('lengths are counted in code points', async () => {
    const emoji = '😀';
    expect((await to(INITIALIZE, valid(INITIALIZE, { sdk_version: emoji.repeat(32) }))).status).to.equal(200);
    expectInvalid(await to(INITIALIZE, valid(INITIALIZE, { sdk_version: emoji.repeat(33) })), [
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
    it(`${field} of ${path} may have ${max} characters and no more`, async () => {
      expect((await to(path, valid(path, { [field]: 'A'.repeat(max) }))).status).to.equal(200);
      expectInvalid(await to(path, valid(path, { [field]: 'A'.repeat(max + 1) })), [field]);
    });
  }

  it('several invalid fields are all listed', async () => {
    const body = { package_name: 5, platform: 'ios', sdk_version: 'x'.repeat(33), test_mode: 'yes' };
    expectInvalid(await to(INITIALIZE, body), [
      'app_key',
      'package_name',
      'platform',
      'sdk_version',
      'test_mode',
    ]);
  });

  it('app keys, placements and tokens of any shape reach the service that judges them', async () => {
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
        (await to(INITIALIZE, valid(INITIALIZE, { app_key: text, package_name: text }))).status,
      ).to.equal(200);
      expect((await to(ADS, valid(ADS, { placement: text, session_token: text }))).status).to.equal(200);
      const event = { request_id: text, impression_token: text };
      expect((await to('/v1/events/impression', event)).status).to.equal(200);
    }
    const lone = JSON.stringify(valid(ADS)).replace('a.session.token', '\\ud800\\u0000');
    expect((await to(ADS, lone)).status).to.equal(200);
  });

  it('a fallback’s reason is one of four; the SDK’s internal `disabled` is none', async () => {
    const path = '/v1/events/fallback';
    for (const reason of ['no_fill', 'timeout', 'error', 'creative_failed']) {
      expect((await to(path, valid(path, { reason }))).status).to.equal(200);
    }
    for (const reason of ['disabled', 'NO_FILL', ' no_fill']) {
      expectInvalid(await to(path, valid(path, { reason })), ['reason']);
    }
  });

  for (const path of PATHS) {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      it(`${method} ${path} is 405 with Allow: POST`, async () => {
        const answer = await send(gateway.url, { method, path });
        expectSdkAnswer(answer);
        expect(answer.headers.allow).to.equal('POST');
        if (method === 'HEAD') expect(answer).to.include({ status: 405, text: '' });
        else expectInvalid(answer, ['method'], 405);
      });
    }
  }

  it('paths are exact; a query is ignored', async () => {
    const body = JSON.stringify(valid(INITIALIZE));
    const headers = { 'Content-Type': 'application/json' };
    const others = [
      '/v1/sdk/initialize/',
      '//v1/sdk/initialize',
      '/v1/SDK/initialize',
      '/V1/sdk/initialize',
      '/v1/sdk/%69nitialize',
      '/v1//sdk/initialize',
      '/v1/sdk',
      '/',
      '/v1',
      '/sdk/initialize',
      '/v1/sdk/initialize%',
      '/v1/sdk/initialize;a',
      '/%',
      '/v1/openapi.json/',
      '/Docs',
    ];
    for (const path of others) {
      const answer = await send(gateway.url, { method: 'POST', path, headers, body });
      expectSdkAnswer(answer);
      expectInvalid(answer, ['path'], 404);
      expectInvalid(await send(gateway.url, { path }), ['path'], 404);
    }
    const queried = await send(gateway.url, {
      method: 'POST',
      path: `${INITIALIZE}?a=%&b[c]=1`,
      headers,
      body,
    });
    expect(queried.status).to.equal(200);
  });

  it('what is no proper HTTP gets the envelope too', async () => {
    const raw = (text: string) => speak(gateway.port, text);
    expect(await raw('NONSENSE\r\n\r\n')).to.match(/^HTTP\/1.1 400 .*validation_failed/s);
    expect(await raw(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).to.match(
      /^HTTP\/1.1 431 .*no-store, private.*validation_failed/s,
    );
    expect(await raw('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n')).to.match(
      /^HTTP\/1.1 405 .*Allow: POST.*validation_failed/s,
    );
    expect(await raw('GET /v1/sdk/initialize HTTP/1.0\r\n\r\n')).to.match(
      /^HTTP\/1.1 405 .*validation_failed/s,
    );
    expect(await raw('GET /v1/sdk/initialize HTTP/1.1\r\nConnection: close\r\n\r\n')).to.match(
      /^HTTP\/1.1 405 .*validation_failed/s,
    );
    expect(
      await raw('GET http://a.example/v1/sdk/initialize HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n'),
    ).to.match(/^HTTP\/1.1 405 /);
    const odd =
      'POST /v1/sdk/initialize HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    expect(await raw(odd)).to.match(/^HTTP\/1.1 422 .*validation_failed/s);
  });

  it('answers are compressed when the client accepts it and they are worth it', async () => {
    const headers = { 'Accept-Encoding': 'gzip' };
    const fill = await to(ADS, valid(ADS), headers);
    expect(fill.headers['content-encoding']).to.equal('gzip');
    expect(fill.headers.vary).to.match(/accept-encoding/i);
    expect((await to(ADS, valid(ADS), { 'Accept-Encoding': 'br' })).headers['content-encoding']).to.equal(
      'br',
    );
    expect((await to(ADS, valid(ADS))).headers).not.to.have.property('content-encoding');
    expect((await to(ADS, valid(ADS), { 'Accept-Encoding': 'gzip;q=0' })).headers).not.to.have.property(
      'content-encoding',
    );
    expect((await to(INITIALIZE, {}, headers)).headers).not.to.have.property('content-encoding');
  });

  it('each of several fills over one kept connection has its own ids (nothing is remembered)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => to(ADS, valid(ADS), { 'Accept-Encoding': 'gzip' })),
    );
    const ids = answers.map(({ json }) => (json as { request_id: string }).request_id);
    expect(new Set(ids).size).to.equal(10);
  });
});

/** Speaks raw text to a port and answers all that comes back. */
function speak(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
  });
}
