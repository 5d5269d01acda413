import { expect } from 'chai';
import { Agent } from 'node:http';
import { openTestConsole, tellRequest, type TestConsole } from './console.js';
import { openTestGateway, type TestGateway } from './gateway.js';
import { expectError, expectInvalid, send, VALID_BODIES } from './http.js';
import { exchange } from './raw-http.js';

describe('the proxy to console-service', () => {
  let gateway: TestGateway;
  let target: TestConsole;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  before(async () => {
    target = await openTestConsole();
    gateway = await openTestGateway({ env: { CONSOLE_HTTP_URL: target.url } });
  });
  after(async () => {
    agent.destroy();
    await gateway.close();
    target.close();
  });

  it('passes creative files on unchanged, and keeps the client’s connection', async () => {
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

  it('passes on who asks for the public keys of signatures, without a key of an operator', async () => {
    const path = '/.well-known/jwks.json';
    expect((await send(gateway.url, { path, agent })).json).to.include({ method: 'GET', url: path });
    expectInvalid(await send(gateway.url, { method: 'POST', path, body: '{}' }), ['method'], 405);
    expect((await send(gateway.url, { path: '/.well-known/other', agent })).status).to.equal(404);
  });

  it('passes only GET and HEAD on, and answers 405 with Allow to other methods', async () => {
    const before = target.seen.length;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      for (const body of [undefined, '{"user":"a"}']) {
        const answer = await send(gateway.url, { method, path: '/creatives/x', body });
        expectInvalid(answer, ['method'], 405);
        expect(answer.headers).to.include({
          allow: 'GET, HEAD',
          connection: body === undefined ? 'keep-alive' : 'close',
        });
      }
    }
    expect(target.seen.length).to.equal(before);
  });

  it('passes no hop-by-hop header on, in either direction', async () => {
    const speaking = await openTestConsole((req, res) => {
      for (const [name, value] of Object.entries({
        Connection: 'X-Private, keep-alive',
        'Keep-Alive': 'timeout=7',
        'X-Private': '1',
        'Proxy-Authenticate': 'Basic',
        Trailer: 'X-Sum',
        Upgrade: 'h2c',
        'X-Kept': '1',
      }))
        res.setHeader(name, value);
      tellRequest(req, res);
    });
    const asking = await openTestGateway({ env: { CONSOLE_HTTP_URL: speaking.url } });
    try {
      const answer = await send(asking.url, {
        path: '/creatives/x',
        headers: {
          Connection: 'X-Qa, keep-alive',
          'X-Qa': '1',
          'Keep-Alive': 'timeout=9',
          'Proxy-Connection': 'keep-alive',
          'Proxy-Authorization': 'Basic eDp5',
          TE: 'trailers',
          Upgrade: 'h2c',
          Expect: 'miracles',
          Range: 'bytes=0-9',
        },
      });
      const hops = [
        'x-qa',
        'keep-alive',
        'proxy-connection',
        'proxy-authorization',
        'te',
        'upgrade',
        'expect',
      ];
      expect(speaking.seen[0]?.headers).to.include({ range: 'bytes=0-9' });
      expect(speaking.seen[0]?.headers).not.to.have.any.keys(...hops);
      expect(speaking.seen[0]?.headers.connection).to.equal('keep-alive');
      expect(answer.headers).to.include({
        'x-kept': '1',
        connection: 'keep-alive',
        'keep-alive': 'timeout=95',
      });
      expect(answer.headers).not.to.have.any.keys('x-private', 'proxy-authenticate', 'trailer', 'upgrade');
    } finally {
      await asking.close();
      speaking.close();
    }
  });

  it('gives an HTTP/1.0 client the same answer, and ends its connection', async () => {
    const received = await exchange(gateway.port, 'GET /creatives/test.png HTTP/1.0\r\n\r\n');
    expect(received).to.match(/^HTTP\/1\.1 200 .*Connection: close.*"url":"\/creatives\/test\.png"/s);
    expect(received).not.to.match(/transfer-encoding/i);
  });

  it('does not pass the address of a client on', async () => {
    const headers = {
      'X-Forwarded-For': '203.0.113.77',
      Forwarded: 'for=203.0.113.77',
      'X-Real-IP': '203.0.113.77',
      'True-Client-IP': '203.0.113.77',
      'CF-Connecting-IP': '203.0.113.77',
    };
    await send(gateway.url, { path: '/creatives/x', headers });
    expect(JSON.stringify(target.seen.at(-1)?.headers)).not.to.contain('203.0.113');
  });

  it('handles only its own paths', async () => {
    const before = target.seen.length;
    for (const path of ['/creativesx', '/Creatives/x', '/%63reatives/x', '/manage', '/manage/v2']) {
      expectError(await send(gateway.url, { path }), 404, 'validation_failed');
    }
    expect(target.seen.length).to.equal(before);
  });

  it('passes any method of the management API on, with its body, its key and its answer', async () => {
    const managing = await openTestGateway({ env: { MANAGE_URL: target.url } });
    try {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await send(managing.url, {
          method,
          path: '/manage/v1/keys?x=1',
          headers: { Authorization: 'Bearer plk_x', 'Content-Type': 'application/json' },
          body: '{"name":"a"}',
        });
        expect(answer.json, method).to.include({ method, url: '/manage/v1/keys?x=1', size: 12 });
        expect(target.seen.at(-1)?.headers).to.include({ authorization: 'Bearer plk_x' });
      }
    } finally {
      await managing.close();
    }
  });

  it('does not handle paths of the SDK API', async () => {
    const body = JSON.stringify(VALID_BODIES['/v1/sdk/initialize']);
    const headers = { 'Content-Type': 'application/json' };
    expect(
      (await send(gateway.url, { method: 'POST', path: '/v1/sdk/initialize', headers, body })).status,
    ).to.equal(200);
  });

  it('keeps the client’s connection when console-service ends its own, but not when the gateway stops', async () => {
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

  it('answers 502 in JSON while console-service is unavailable', async () => {
    const alone = await openTestGateway({ env: { CONSOLE_HTTP_URL: 'http://127.0.0.1:1' } });
    try {
      const answer = await send(alone.url, { path: '/creatives/x' });
      expectError(answer, 502, 'server_error');
      expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(answer.text).not.to.match(/127\.0\.0\.1|ECONNREFUSED/);
    } finally {
      await alone.close();
    }
  });
});
