import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectEnvelopeHeaders, expectError, expectInvalid } from '../driver/expect.js';
import { send } from '../driver/http.js';
import type { Answer, RawRequest } from '../driver/http.js';
import { freshAddress } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const { app } = world.pair();

/** Every endpoint with its required fields in alphabetical order. */
const ENDPOINTS: readonly (readonly [path: string, required: readonly string[]])[] = [
  ['/v1/sdk/initialize', ['app_key', 'package_name']],
  ['/v1/ads/request', ['app_key', 'format', 'placement', 'session_token']],
  ['/v1/events/impression', ['impression_token', 'request_id']],
  ['/v1/events/click', ['impression_token', 'request_id']],
  ['/v1/events/reward', ['completion', 'impression_token', 'request_id']],
  ['/v1/events/fallback', ['placement', 'reason', 'session_token']],
];
const INITIALIZE = '/v1/sdk/initialize';
const JSON_TYPE = { 'content-type': 'application/json' };
const BODY_BYTES_MAX = 16 * 1024;

function raw(request: RawRequest): Promise<Answer> {
  const headers = { 'x-forwarded-for': freshAddress(), ...request.headers };
  return send(world.url, { ...request, headers });
}

/** A valid initialize as text. */
function valid(extra: object = {}): string {
  return JSON.stringify({ app_key: app.app_key, package_name: app.package_name, ...extra });
}

function expectNoLeak(answer: Answer): void {
  expect(answer.text).to.not.match(/<html|<!doctype| at .*\.[jt]s:\d|node_modules|SyntaxError|stack/i);
  expect(answer.headers['x-powered-by']).to.equal(undefined);
}

for (const [path, required] of ENDPOINTS) {
  describe(`POST ${path}: bodies`, () => {
    world.use();

    const empties: readonly (readonly [name: string, request: Partial<RawRequest>])[] = [
      ['no body and no content type', {}],
      ['an empty body', { headers: JSON_TYPE, body: '' }],
      ['an empty body without a content type', { body: '' }],
      ['an empty chunked body', { headers: JSON_TYPE, body: '', isChunked: true }],
      ['an empty object', { headers: JSON_TYPE, body: '{}' }],
    ];
    for (const [name, request] of empties) {
      it(`answers 422 listing the required fields to ${name}`, async () => {
        expectInvalid(await raw({ path, ...request }), required);
      });
    }

    const malformed: readonly (readonly [name: string, body: string | Uint8Array])[] = [
      ['an open brace', '{'],
      ['a missing value', '{"a":}'],
      ['single quotes', "{'app_key':'x'}"],
      ['a trailing comma', '{"app_key":"x",}'],
      ['NaN', '{"a":NaN}'],
      ['null', 'null'],
      ['true', 'true'],
      ['a list', '[]'],
      ['a string', '"x"'],
      ['a number', '1e999'],
      ['two byte-order marks', '\ufeff\ufeff{}'],
      ['two objects', '{}{}'],
      ['blanks alone', '   '],
      ['lists nested 8,000 times', '['.repeat(8_000) + ']'.repeat(8_000)],
    ];
    for (const [name, body] of malformed) {
      it(`answers 422 with fields.body to ${name}`, async () => {
        const answer = await raw({ path, headers: JSON_TYPE, body });
        expectInvalid(answer, ['body']);
        expectNoLeak(answer);
        expect(answer.tookMs).to.be.below(1_000);
      });
    }

    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/vnd.api+json',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      'nonsense',
      '',
    ]) {
      it(`answers 422 with fields.body to the content type "${type}"`, async () => {
        expectInvalid(await raw({ path, headers: { 'content-type': type }, body: '{"a":1}' }), ['body']);
      });
    }

    it('answers 422 with fields.body to a body without a content type', async () => {
      expectInvalid(await raw({ path, body: '{"a":1}' }), ['body']);
    });

    it('answers 422 to a byte-order mark alone, as an empty or an invalid body', async () => {
      expectError(await raw({ path, headers: JSON_TYPE, body: '\ufeff' }), 422, 'validation_failed');
    });

    it('answers 422, never 500, to invalid UTF-8', async () => {
      const body = Buffer.concat([
        Buffer.from('{"app_key":"'),
        Buffer.from([0xc3, 0x28, 0xff]),
        Buffer.from('"}'),
      ]);
      const answer = await raw({ path, headers: JSON_TYPE, body });
      expectError(answer, 422, 'validation_failed');
    });

    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      it(`answers 405 with Allow: POST to ${method}`, async () => {
        const answer = await raw({ path, method });
        expect(answer.status).to.equal(405);
        expect(answer.headers.allow).to.equal('POST');
        expectEnvelopeHeaders(answer);
        if (method !== 'HEAD') expectInvalid(answer, ['method'], 405);
        expectNoLeak(answer);
      });
    }
  });
}

describe('paths', () => {
  world.use();

  for (const path of [
    '/v1/sdk/initialize/',
    '/v1/SDK/initialize',
    '/V1/sdk/initialize',
    '//v1/sdk/initialize',
    '/v1//sdk/initialize',
    '/v1/sdk/%69nitialize',
    '/sdk/initialize',
    '/v2/sdk/initialize',
    '/v1/sdk',
    '/v1/nothing',
    '/v1',
    '/v1/',
    '/v1/events',
    '/v1/events/view',
    '/v1/sdk/../sdk/initialize',
    '/v1/%',
    '/v1/%00',
    '/v1/events/impression/..%2fclick',
  ]) {
    it(`answers 404 with fields.path to ${path}`, async () => {
      for (const method of ['POST', 'GET']) {
        const answer = await raw({ path, method, headers: JSON_TYPE, body: valid() });
        expectInvalid(answer, ['path'], 404);
        expectNoLeak(answer);
      }
    });
  }

  it('are exact, and a query string is ignored', async () => {
    const answer = await raw({ path: `${INITIALIZE}?a=1&app_key=x`, headers: JSON_TYPE, body: valid() });
    expect(answer.status, answer.text).to.equal(200);
  });

  it('do not depend on the Host header', async () => {
    const answer = await raw({
      path: INITIALIZE,
      headers: { ...JSON_TYPE, host: 'elsewhere.example' },
      body: valid(),
    });
    expect(answer.status, answer.text).to.equal(200);
  });
});

describe('content types and encodings', () => {
  world.use();

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset=utf8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    'application/json ; charset=utf-8',
  ]) {
    it(`accept ${type}`, async () => {
      const answer = await raw({ path: INITIALIZE, headers: { 'content-type': type }, body: valid() });
      expect(answer.status, answer.text).to.equal(200);
    });
  }

  it('accept a byte-order mark before the JSON', async () => {
    const answer = await raw({ path: INITIALIZE, headers: JSON_TYPE, body: `\ufeff${valid()}` });
    expect(answer.status, answer.text).to.equal(200);
  });

  it('accept a chunked body', async () => {
    const answer = await raw({ path: INITIALIZE, headers: JSON_TYPE, body: valid(), isChunked: true });
    expect(answer.status, answer.text).to.equal(200);
  });

  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
  for (const [encoding, pack] of Object.entries(packers)) {
    it(`accept a body in ${encoding}, and refuse a wrongly labelled one`, async () => {
      const headers = { ...JSON_TYPE, 'content-encoding': encoding };
      const good = await raw({ path: INITIALIZE, headers, body: pack(valid()) });
      expect(good.status, good.text).to.equal(200);
      expectInvalid(await raw({ path: INITIALIZE, headers, body: valid() }), ['body']);
      expectInvalid(await raw({ path: INITIALIZE, headers, body: pack(valid()).subarray(0, 20) }), ['body']);
    });
  }

  it('accept the encoding identity and refuse unknown encodings', async () => {
    const plain = { ...JSON_TYPE, 'content-encoding': 'identity' };
    expect((await raw({ path: INITIALIZE, headers: plain, body: valid() })).status).to.equal(200);
    for (const encoding of ['zstd', 'compress', 'x']) {
      const headers = { ...JSON_TYPE, 'content-encoding': encoding };
      expectInvalid(await raw({ path: INITIALIZE, headers, body: valid() }), ['body']);
    }
  });

  it('compress a large answer when the client accepts it', async () => {
    const headers = { ...JSON_TYPE, 'accept-encoding': 'gzip' };
    const answer = await raw({ path: INITIALIZE, headers, body: valid() });
    expect(answer.status).to.equal(200);
    if (answer.headers['content-encoding'] === 'gzip') {
      expect(JSON.parse(gunzipSync(answer.bytes).toString())).to.have.property('session_token');
    } else {
      expect(answer.body.session_token).to.be.a('string');
    }
    expect(answer.headers['cache-control']).to.equal('no-store, private');
  });
});

describe('size of the body', () => {
  world.use();

  const padded = (bytes: number): string => {
    const bare = valid({ padding: '' });
    return valid({ padding: 'x'.repeat(bytes - bare.length) });
  };

  it(`may be 16 KiB; one byte more is 413 with fields.body`, async () => {
    const good = await raw({ path: INITIALIZE, headers: JSON_TYPE, body: padded(BODY_BYTES_MAX) });
    expect(good.status, good.text).to.equal(200);
    const answer = await raw({ path: INITIALIZE, headers: JSON_TYPE, body: padded(BODY_BYTES_MAX + 1) });
    expectInvalid(answer, ['body'], 413);
  });

  it('counts after decompression', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const good = await raw({ path: INITIALIZE, headers, body: gzipSync(padded(BODY_BYTES_MAX)) });
    expect(good.status, good.text).to.equal(200);
    const bomb = gzipSync(padded(5_000_000));
    expectInvalid(await raw({ path: INITIALIZE, headers, body: bomb }), ['body'], 413);
  });

  it('counts in chunked bodies too, and before the content type', async () => {
    const body = padded(BODY_BYTES_MAX + 1);
    expectInvalid(await raw({ path: INITIALIZE, headers: JSON_TYPE, body, isChunked: true }), ['body'], 413);
    expectInvalid(
      await raw({ path: INITIALIZE, headers: { 'content-type': 'text/plain' }, body }),
      ['body'],
      413,
    );
  });

  it('of one megabyte in one field is 413, and the answer does not repeat it', async () => {
    const answer = await raw({
      path: INITIALIZE,
      headers: JSON_TYPE,
      body: valid({ sdk_version: 'q'.repeat(1_000_000) }),
    });
    expectInvalid(answer, ['body'], 413);
    expect(answer.text.length).to.be.below(1_000);
  });
});

describe('JSON', () => {
  world.use();

  it('counts the last of two equal keys', async () => {
    const head = `"package_name":${JSON.stringify(app.package_name)}`;
    const key = JSON.stringify(app.app_key);
    const good = `{"app_key":"app_x",${head},"app_key":${key}}`;
    expect((await raw({ path: INITIALIZE, headers: JSON_TYPE, body: good })).status).to.equal(200);
    const bad = `{"app_key":${key},${head},"app_key":"app_x"}`;
    expectError(await raw({ path: INITIALIZE, headers: JSON_TYPE, body: bad }), 401, 'invalid_app_key');
  });

  it('treats __proto__ and the like as ordinary unknown fields', async () => {
    const tail = valid().slice(1);
    for (const head of [
      '{"__proto__":{"test_mode":true},',
      '{"constructor":{"prototype":{"app_key":"x"}},',
      '{"hasOwnProperty":1,"toString":null,',
    ]) {
      const answer = await raw({ path: INITIALIZE, headers: JSON_TYPE, body: head + tail });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body.config.test_mode).to.equal(false);
    }
    const inherited = await raw({
      path: INITIALIZE,
      headers: JSON_TYPE,
      body: `{"__proto__":${valid()}}`,
    });
    expectInvalid(inherited, ['app_key', 'package_name']);
  });
});

describe('GET /v1/openapi.json', () => {
  world.use();

  it('serves the OpenAPI 3.1 document, version 0.3.0, with every endpoint', async () => {
    const answer = await raw({ path: '/v1/openapi.json', method: 'GET' });
    expect(answer.status).to.equal(200);
    const document = JSON.parse(answer.text) as {
      openapi: string;
      info: { version: string };
      paths: Record<string, unknown>;
    };
    expect(document.openapi).to.match(/^3\.1\./);
    expect(document.info.version).to.equal('0.3.0');
    const paths = Object.keys(document.paths).map((path) => path.replace(/^\/v1/, ''));
    expect(paths).to.include.members(ENDPOINTS.map(([path]) => path.slice(3)));
  });

  it('answers HEAD, and 405 with Allow: GET, HEAD to other methods', async () => {
    expect((await raw({ path: '/v1/openapi.json', method: 'HEAD' })).status).to.equal(200);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await raw({ path: '/v1/openapi.json', method });
      expect(answer.headers.allow).to.equal('GET, HEAD');
      expectInvalid(answer, ['method'], 405);
    }
  });
});

describe('the other paths of the gateway', () => {
  world.use();

  it('report that it is alive and ready, and show the documentation', async () => {
    for (const path of ['/healthz', '/readyz', '/docs']) {
      const answer = await raw({ path, method: 'GET' });
      expect(answer.status, `${path}: ${answer.text}`).to.be.oneOf([200, 301, 302, 308]);
    }
  });
});
