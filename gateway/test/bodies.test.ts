import { expect } from 'chai';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { openGatewayWithoutLimits, type TestGateway } from './gateway.js';
import { expectInvalid, post, send, validBody } from './http.js';

const INITIALIZE = '/v1/sdk/initialize';

describe('the bodies of requests', () => {
  let gateway: TestGateway;
  const to = (path: string, body?: object | string | Buffer, headers = {}) =>
    post(gateway.url, path, body, headers);

  before(async () => {
    gateway = await openGatewayWithoutLimits();
  });
  after(() => gateway.close());

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
      expect(performance.now() - startedAt).to.be.lessThan(2_000);
      expectInvalid(answer, ['body']);
      expect(answer.text).not.to.match(/at |SyntaxError|position/);
    });
  }

  it('a byte-order mark before the JSON is accepted', async () => {
    expect(
      (await to(INITIALIZE, Buffer.from(`\ufeff${JSON.stringify(validBody(INITIALIZE))}`))).status,
    ).to.equal(200);
    expectInvalid(await to(INITIALIZE, Buffer.from('\ufeff')), ['app_key', 'package_name']);
  });

  it('the content type must be JSON in UTF-8, in any harmless spelling', async () => {
    const withType = (type: string) => to(INITIALIZE, validBody(INITIALIZE), { 'Content-Type': type });
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
      body: JSON.stringify(validBody(INITIALIZE)),
    });
    expectInvalid(none, ['body']);
  });

  it('bodies may be compressed with gzip, deflate and br', async () => {
    const json = Buffer.from(JSON.stringify(validBody(INITIALIZE)));
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
    const json = JSON.stringify(validBody(INITIALIZE));
    for (const name of ['zstd', 'gzip, br', 'constructor', 'gzip', 'deflate', 'br']) {
      expectInvalid(await to(INITIALIZE, json, { 'Content-Encoding': name }), ['body']);
    }
    const half = gzipSync(json).subarray(0, 30);
    expectInvalid(await to(INITIALIZE, half, { 'Content-Encoding': 'gzip' }), ['body']);
  });

  it('16 KiB pass and one byte more is 413, plain, chunked and decompressed', async () => {
    const bytes = (size: number) => {
      const empty = JSON.stringify(validBody(INITIALIZE, { padding: '' }));
      return JSON.stringify(validBody(INITIALIZE, { padding: 'x'.repeat(size - empty.length) }));
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

  it('a body of a megabyte is refused, and the client can read the answer', async () => {
    const startedAt = performance.now();
    const body = JSON.stringify(validBody(INITIALIZE, { sdk_version: 'x'.repeat(1_000_000) }));
    expectInvalid(await to(INITIALIZE, body), ['body'], 413);
    expect(performance.now() - startedAt).to.be.lessThan(3_000);
  });

  it('the checks have the order size, content type, encoding, JSON, fields', async () => {
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
});
