import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openTestGateway, type TestGateway } from './gateway.js';
import { expectError, send, VALID_BODIES } from './http.js';

/** A console-service that tells what it got. */
async function openConsole(): Promise<{
  readonly server: Server;
  readonly url: string;
  readonly seen: IncomingMessage[];
}> {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    const hash = createHash('sha256');
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      hash.update(chunk);
    });
    req.on('end', () => {
      const body = JSON.stringify({ method: req.method, url: req.url, size, sha256: hash.digest('hex') });
      res.writeHead(req.url === '/creatives/none' ? 404 : 200, {
        'Content-Type': 'image/png',
        'Cache-Control': 'max-age=60',
        ...(req.url === '/creatives/last' ? { Connection: 'close' } : {}),
      });
      res.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe('the proxy to console-service', () => {
  let gateway: TestGateway;
  let target: Awaited<ReturnType<typeof openConsole>>;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  before(async () => {
    target = await openConsole();
    gateway = await openTestGateway({ env: { CONSOLE_HTTP_URL: target.url } });
  });
  after(async () => {
    agent.destroy();
    await gateway.close();
    target.server.closeAllConnections();
    target.server.close();
  });

  it('passes creative files on as they are, and keeps the client’s connection', async () => {
    const answer = await send(gateway.url, { path: '/creatives/test.png?x=1', agent });
    expect(answer.status).to.equal(200);
    expect(answer.headers).to.include({
      'content-type': 'image/png',
      'cache-control': 'max-age=60',
      connection: 'keep-alive',
    });
    expect(answer.json).to.include({ method: 'GET', url: '/creatives/test.png?x=1' });
    expect((await send(gateway.url, { path: '/creatives/none', agent })).status).to.equal(404);
    expect((await send(gateway.url, { method: 'HEAD', path: '/creatives/test.png', agent })).status).to.equal(
      200,
    );
  });

  const bodies: readonly [string, string, string | Buffer | readonly string[], string][] = [
    ['a JSON login', 'POST', '{"user":"a"}', 'application/json'],
    ['a form', 'POST', 'user=a&password=b', 'application/x-www-form-urlencoded'],
    ['an upload of 5 MB', 'POST', Buffer.alloc(5_000_000, 7), 'application/octet-stream'],
    ['a chunked body', 'PUT', ['a', 'b', 'c'], 'text/plain'],
    ['an empty POST', 'POST', '', 'application/json'],
  ];
  for (const [name, method, body, type] of bodies) {
    it(`passes ${name} on unread`, async () => {
      const startedAt = performance.now();
      const answer = await send(gateway.url, {
        method,
        path: '/creatives/x',
        headers: { 'Content-Type': type },
        body,
      });
      const whole = Buffer.concat([body].flat().map((part) => Buffer.from(part)));
      expect(answer.json).to.include({
        method,
        size: whole.byteLength,
        sha256: createHash('sha256').update(whole).digest('hex'),
      });
      expect(performance.now() - startedAt).to.be.lessThan(2_000);
    });
  }

  it('tells no client’s address', async () => {
    const headers = {
      'X-Forwarded-For': '203.0.113.77',
      Forwarded: 'for=203.0.113.77',
      'X-Real-IP': '203.0.113.77',
    };
    await send(gateway.url, { path: '/creatives/x', headers });
    expect(JSON.stringify(target.seen.at(-1)?.headers)).not.to.contain('203.0.113');
  });

  it('takes nothing but its own paths', async () => {
    const before = target.seen.length;
    for (const path of ['/creativesx', '/Creatives/x', '/%63reatives/x', '/manage']) {
      expectError(await send(gateway.url, { path }), 404, 'validation_failed');
    }
    expect(target.seen.length).to.equal(before);
  });

  it('leaves the SDK API alone', async () => {
    const body = JSON.stringify(VALID_BODIES['/v1/sdk/initialize']);
    const headers = { 'Content-Type': 'application/json' };
    expect(
      (await send(gateway.url, { method: 'POST', path: '/v1/sdk/initialize', headers, body })).status,
    ).to.equal(200);
  });

  it('keeps the client’s connection when console-service ends its own, and ends it when it stops itself', async () => {
    const answer = await send(gateway.url, { path: '/creatives/last', agent });
    expect(answer.headers.connection).to.equal('keep-alive');
    const stopping = await openTestGateway({ env: { CONSOLE_HTTP_URL: target.url } });
    try {
      stopping.scope.stop();
      const last = await send(stopping.url, { path: '/creatives/x', agent });
      expect([last.status, last.headers.connection]).to.deep.equal([200, 'close']);
    } finally {
      await stopping.close();
    }
  });

  it('answers 502 in JSON while console-service is away', async () => {
    const alone = await openTestGateway({ env: { CONSOLE_HTTP_URL: 'http://127.0.0.1:1' } });
    try {
      for (const body of [undefined, 'x'.repeat(100_000)]) {
        const answer = await send(alone.url, {
          method: 'POST',
          path: '/creatives/x',
          ...(body === undefined ? {} : { body }),
        });
        expectError(answer, 502, 'server_error');
        expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
        expect(answer.text).not.to.match(/127\.0\.0\.1|ECONNREFUSED/);
      }
    } finally {
      await alone.close();
    }
  });
});
