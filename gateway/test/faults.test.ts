import { makeLogger } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestGateway, untilTrue, type TestGateway } from './gateway.js';
import { expectError, expectInvalid, post, send, VALID_BODIES, type HttpAnswer } from './http.js';

const PATHS = Object.keys(VALID_BODIES);

/** A peer that accepts connections and never answers. */
async function openSink(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('when a dependency is down', () => {
  const closers: (() => unknown)[] = [];
  const start = async (env: Record<string, string>, waitsForRedis = true): Promise<TestGateway> => {
    const gateway = await openTestGateway({ env, waitsForRedis });
    closers.push(() => gateway.close());
    return gateway;
  };
  const sendTo = (gateway: TestGateway, path: string, more: object = {}): Promise<HttpAnswer> =>
    send(gateway.url, {
      method: 'POST',
      path,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...VALID_BODIES[path], ...more }),
    });

  before(async () => {
    const { redis } = await openTestRedis();
    redis.disconnect();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('endpoints of unavailable services answer 500 at once, and the gateway starts and is ready', async () => {
    const away = '127.0.0.1:1';
    const gateway = await start({
      SESSION_SERVICE_ADDRESS: away,
      SERVING_SERVICE_ADDRESS: away,
      EVENTS_SERVICE_ADDRESS: away,
    });
    for (const path of PATHS) {
      const startedAt = performance.now();
      expectError(await sendTo(gateway, path), 500, 'server_error');
      expect(performance.now() - startedAt).to.be.lessThan(2_000);
    }
    const ready = await send(gateway.url, { path: '/readyz' });
    expect(ready.status).to.equal(200);
    expect(ready.json).to.have.nested.property('components.session-service').that.deep.equals({ ok: false });
  });

  it('one unavailable service does not affect the endpoints of the others', async () => {
    const gateway = await start({ EVENTS_SERVICE_ADDRESS: '127.0.0.1:1' });
    expectError(await sendTo(gateway, '/v1/events/click'), 500, 'server_error');
    expect((await sendTo(gateway, '/v1/ads/request')).status).to.equal(200);
    expect((await sendTo(gateway, '/v1/sdk/initialize')).status).to.equal(200);
  });

  it('endpoints of services that accept connections and never answer are answered within five seconds', async () => {
    const sink = await openSink();
    closers.push(() => sink.close());
    const address = `127.0.0.1:${sink.port}`;
    const gateway = await start({
      SESSION_SERVICE_ADDRESS: address,
      SERVING_SERVICE_ADDRESS: address,
      EVENTS_SERVICE_ADDRESS: address,
    });
    const startedAt = performance.now();
    const answers = await Promise.all([...PATHS, ...PATHS].map((path) => sendTo(gateway, path)));
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    for (const answer of answers) {
      expectError(answer, 500, 'server_error');
      expect(answer.headers['cache-control']).to.equal('no-store, private');
    }
  });

  it('a call that hangs is answered with 500 within five seconds, and later calls work', async () => {
    const gateway = await start({});
    const { requestAd } = gateway.peers.serving;
    gateway.peers.serving.requestAd = () => new Promise(() => undefined);
    const startedAt = performance.now();
    expectError(await sendTo(gateway, '/v1/ads/request'), 500, 'server_error');
    expect(performance.now() - startedAt).to.be.within(1_000, 5_000);
    gateway.peers.serving.requestAd = requestAd;
    expect((await sendTo(gateway, '/v1/ads/request')).status).to.equal(200);
  });

  it('without Redis, requests are answered and each process counts alone', async () => {
    const gateway = await start({ REDIS_URL: 'redis://127.0.0.1:1' }, false);
    const answers = [];
    for (let i = 0; i < 130; i += 1) {
      answers.push(
        await post(gateway.url, '/v1/ads/request', {
          ...VALID_BODIES['/v1/ads/request'],
          session_token: 'alone',
        }),
      );
    }
    expect(answers.filter(({ status }) => status === 200)).to.have.length(120);
    expect(answers.at(-1)?.headers['retry-after']).to.match(/^\d+$/);
  });

  it('with a frozen Redis, requests are answered after a moment', async () => {
    const sink = await openSink();
    closers.push(() => sink.close());
    const gateway = await start({ REDIS_URL: `redis://127.0.0.1:${sink.port}` }, false);
    const startedAt = performance.now();
    for (let i = 0; i < 20; i += 1) expect((await sendTo(gateway, '/v1/ads/request')).status).to.equal(200);
    expect(performance.now() - startedAt).to.be.lessThan(3_000);
  });

  it('a failed request is logged in at most one line, without body, token or address', async () => {
    const lines: string[] = [];
    const gateway = await start({});
    const log = makeLogger('gateway', 'debug', {
      destination: { write: (line: string) => void lines.push(line) },
    });
    Object.assign(gateway.scope, { log });
    gateway.peers.serving.requestAd = () => Promise.reject(new Error('boom'));
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.77' };
    const body = JSON.stringify({ ...VALID_BODIES['/v1/ads/request'], session_token: 'very-secret-token' });
    expectError(
      await send(gateway.url, { method: 'POST', path: '/v1/ads/request', headers, body }),
      500,
      'server_error',
    );
    await send(gateway.url, {
      method: 'POST',
      path: '/v1/ads/request',
      headers,
      body: '{"app_key":"body-text"',
    });
    expect(lines).to.have.length(1);
    expect(lines.join('')).not.to.match(/203\.0\.113|very-secret|body-text|home_banner/);
  });

  it('a body that does not arrive is given up, and a client that disconnects does no harm', async () => {
    const gateway = await start({});
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      'POST /v1/sdk/initialize HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    );
    await sleep(100);
    socket.destroy();
    await sleep(50);
    expect((await sendTo(gateway, '/v1/sdk/initialize')).status).to.equal(200);
  });

  it('a stopping gateway answers with Connection: close and finishes running requests', async () => {
    const gateway = await openTestGateway({});
    const { requestAd } = gateway.peers.serving;
    let isHeld = false;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    gateway.peers.serving.requestAd = async (request, call) => {
      isHeld = true;
      await held;
      return requestAd(request, call);
    };
    const running = sendTo(gateway, '/v1/ads/request');
    await untilTrue(() => isHeld);
    const closing = gateway.close();
    await untilTrue(() => gateway.scope.stopping.aborted);
    release();
    const answer = await running;
    expect(answer.status).to.equal(200);
    expect(answer.headers.connection).to.equal('close');
    await closing;
    await sendTo(gateway, '/v1/ads/request').then(
      () => expect.fail('it still listens'),
      (error: unknown) => expect(error).to.have.property('code', 'ECONNREFUSED'),
    );
  });
});

describe('the time limit of a body', () => {
  it('gives 408 with the envelope', async () => {
    const { readBody } = await import('../src/sdk/middleware/read-body.js');
    const { IncomingMessage } = await import('node:http');
    const { Socket: NetSocket } = await import('node:net');
    const request = new IncomingMessage(new NetSocket());
    request.headers = { 'content-length': '5' };
    const reading = await readBody(request, 20);
    if (!('refusal' in reading)) throw new Error('it was read');
    expectInvalid(
      { status: reading.refusal.status, headers: {}, text: '', json: reading.refusal.body },
      ['body'],
      408,
    );
  });
});
