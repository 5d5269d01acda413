import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import express from 'express';
import { createHash } from 'node:crypto';
import { METHODS } from 'node:http';
import { HTTP_LIMITS } from '../src/edge/domain/http-limits.js';
import { openForward } from '../src/proxy/middleware/forward.js';
import { openHttpServer } from '../src/edge/middleware/http-server.js';
import { giveRequestId } from '../src/middleware/request-id.js';
import { proxyToConsole } from '../src/proxy/routes/proxy.js';
import { openTestConsole, type TestConsole } from './console.js';
import { openTestGateway, type TestGateway } from './gateway.js';
import { expectInvalid, send } from './http.js';
import { startExchange } from './raw-http.js';

/** All methods of Node.js except CONNECT, which opens a tunnel and has no path. */
const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT');
/** One connection to console-service, so that consecutive requests share it. */
const LIMITS = { ...HTTP_LIMITS.manage, openMax: 1 };

/** A request hidden in a body. A server that ignores the body would read it as a request. */
const hidden = (prefix: string): string => `GET ${prefix}/hidden HTTP/1.1\r\nHost: s\r\nX-Pad: `;
const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Framings of a body: the headers, and the bytes after them. */
const FRAMINGS: readonly (readonly [string, (body: string) => string])[] = [
  ['a length', (body) => `Content-Length: ${body.length}\r\n\r\n${body}`],
  ['chunks', (body) => `Transfer-Encoding: chunked\r\n\r\n${chunked(body)}`],
  ['chunks, in other letters', (body) => `transfer-ENCODING:\tChunked \r\n\r\n${chunked(body)}`],
  ['an expectation and chunks', (body) => `Expect: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(body)}`],
  [
    'chunks that Connection names',
    (body) => `Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(body)}`,
  ],
  [
    'a length that Connection names',
    (body) => `Connection: content-length\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ],
];
/** Framings that this server does not read, or that are contradictory. */
const ODD_FRAMINGS: typeof FRAMINGS = [
  ['chunks within another coding', (body) => `Transfer-Encoding: gzip, chunked\r\n\r\n${chunked(body)}`],
  ['chunks twice', (body) => `Transfer-Encoding: chunked, chunked\r\n\r\n${chunked(body)}`],
  ['a coding without chunks', (body) => `Transfer-Encoding: gzip\r\n\r\n${body}`],
  [
    'chunks and no length',
    (body) => `Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(body)}`,
  ],
  [
    'no length and chunks',
    (body) => `Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${chunked(body)}`,
  ],
  ['two lengths', (body) => `Content-Length: 0\r\nContent-Length: ${body.length}\r\n\r\n${body}`],
];

describe('requests with bodies at /creatives', () => {
  let gateway: TestGateway;
  let target: TestConsole;
  before(async () => {
    target = await openTestConsole();
    gateway = await openTestGateway({
      env: { CONSOLE_HTTP_URL: target.url },
      limits: { ...HTTP_LIMITS, creatives: LIMITS },
    });
  });
  after(async () => {
    await gateway.close();
    target.close();
  });

  for (const [name, frame] of [...FRAMINGS, ...ODD_FRAMINGS]) {
    it(`are refused for any method, reach no server, and end the connection: ${name}`, async () => {
      const before = target.seen.length;
      for (const method of ALL_METHODS) {
        const text = `${method} /creatives/x HTTP/1.1\r\nHost: a\r\n${frame(hidden('/creatives'))}`;
        const { received, hangUp } = await startExchange(gateway.port, text);
        expect(received, method).to.match(/^HTTP\/1\.1 (400|405) .*Connection: close/s);
        if (method === 'GET' || method === 'HEAD') expect(received, method).to.match(/^HTTP\/1\.1 400 /);
        const victim = await send(gateway.url, { path: '/creatives/mine' });
        expect(victim.json, method).to.include({ url: '/creatives/mine', size: 0 });
        hangUp();
      }
      const urls = new Set(target.seen.slice(before).map(({ url }) => url));
      expect([...urls]).to.deep.equal(['/creatives/mine']);
    });
  }

  it('are accepted when the length of the body is 0', async () => {
    const text = 'GET /creatives/x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
    const { received, hangUp } = await startExchange(gateway.port, text);
    expect(received).to.match(/^HTTP\/1\.1 200 .*Connection: keep-alive/s);
    hangUp();
  });
});

describe('bodies at a proxied path that accepts them', () => {
  let scope: TestScope;
  let target: TestConsole;
  let port: number;
  before(async () => {
    target = await openTestConsole();
    scope = makeTestScope({ name: 'gateway' });
    const app = express();
    const admit = () => Promise.resolve({ taken: [] });
    app.use(giveRequestId(scope));
    app.use(
      proxyToConsole({
        paths: [
          {
            prefix: '/manage',
            methods: ALL_METHODS,
            group: 'manage',
            limits: HTTP_LIMITS.manage,
            forward: openForward(scope, target.url, LIMITS),
          },
        ],
        admissions: { byNetwork: admit, byKeys: admit, giveBack: () => undefined },
        origin: { trust: () => false, countryHeader: null, countryOf: () => null },
        countRefusal: () => undefined,
      }),
    );
    const options = { host: '127.0.0.1', port: 0, limits: HTTP_LIMITS, onConnection: () => undefined };
    ({ port } = await openHttpServer(scope, app, options));
  });
  after(async () => {
    await scope.close();
    target.close();
  });
  const url = (): string => `http://127.0.0.1:${port}`;

  for (const [name, frame] of FRAMINGS) {
    it(`arrive whole, with new framing, for any method, and hide no request: ${name}`, async () => {
      const body = hidden('/manage');
      const sha256 = createHash('sha256').update(body).digest('hex');
      for (const method of ALL_METHODS) {
        const before = target.seen.length;
        const { received, hangUp } = await startExchange(
          port,
          `${method} /manage/x HTTP/1.1\r\nHost: a\r\n${frame(body)}`,
        );
        const isRead = method === 'GET' || method === 'HEAD';
        expect(received, method).to.match(isRead ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 200 /);
        if (!isRead) expect(received, method).to.include(`"size":${body.length},"sha256":"${sha256}"`);
        const victim = await send(url(), { path: '/manage/mine' });
        expect(victim.json, method).to.include({ url: '/manage/mine', size: 0 });
        hangUp();
        const urls = target.seen.slice(before).map((seen) => seen.url);
        expect(urls, method).to.deep.equal(isRead ? ['/manage/mine'] : ['/manage/x', '/manage/mine']);
      }
    });
  }

  for (const [name, frame] of ODD_FRAMINGS) {
    it(`are refused when their framing is odd: ${name}`, async () => {
      const before = target.seen.length;
      for (const method of ALL_METHODS) {
        const text = `${method} /manage/x HTTP/1.1\r\nHost: a\r\n${frame(hidden('/manage'))}`;
        const { received, hangUp } = await startExchange(port, text);
        expect(received, method).to.match(/^HTTP\/1\.1 400 .*Connection: close/s);
        hangUp();
      }
      expect(target.seen.length).to.equal(before);
    });
  }

  it('pass unread and quickly: JSON, a form, 5 MB, and an empty body', async () => {
    for (const [method, body] of [
      ['POST', '{"user":"a"}'],
      ['POST', 'user=a&password=b'],
      ['PUT', Buffer.alloc(5_000_000, 7)],
      ['PATCH', ['a', 'b', 'c']],
      ['POST', ''],
    ] as const) {
      const answer = await send(url(), { method, path: '/manage/x', body });
      const whole = Buffer.concat([body].flat().map((part) => Buffer.from(part)));
      const sha256 = createHash('sha256').update(whole).digest('hex');
      expect(answer.json).to.include({ method, size: whole.byteLength, sha256 });
    }
  });

  it('that break off do not reach the server as complete', async () => {
    const text = 'POST /manage/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const { received, hangUp } = await startExchange(port, text);
    expect(received).to.match(/^HTTP\/1\.1 400 /);
    hangUp();
    expectInvalid(await send(url(), { method: 'GET', path: '/manage/x', body: 'x' }), ['request'], 400);
    expect((await send(url(), { path: '/manage/mine' })).json).to.include({ url: '/manage/mine' });
  });
});
