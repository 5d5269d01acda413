import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { connect, type Socket } from 'node:net';
import { HTTP_LIMITS, type HttpLimits } from '../src/edge/domain/http-limits.js';
import { openTestConsole } from './console.js';
import { openTestGateway, untilTrue, type TestGateway } from './gateway.js';
import { expectError, expectInvalid, expectProblem, send, VALID_BODIES, type HttpAnswer } from './http.js';
import { answerCount, exchange } from './raw-http.js';

const INITIALIZE = '/v1/sdk/initialize';
const JSON_HEAD = `POST ${INITIALIZE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
/** Creative files that a network may fetch at the same time. */
const SLOTS = 4;
/** Short limits, so that a test of minutes takes a moment. */
const SHORT: HttpLimits = {
  ...HTTP_LIMITS,
  headersMs: 300,
  requestMs: 600,
  bodyMs: 150,
  silenceMs: 2_000,
  checkMs: 50,
  creatives: {
    ...HTTP_LIMITS.creatives,
    openPerNetworkMax: SLOTS,
    openMax: 12,
    beginMs: 3_000,
    progressMs: 400,
    progressBytesMin: 65_536,
  },
};
/** More bytes than the buffers of both ends hold. */
const LARGE_BYTES = 64 * 1_024 * 1_024;

describe('connections to the public port', () => {
  const closers: (() => unknown)[] = [];
  const start = async (env: Record<string, string> = {}, limits = SHORT): Promise<TestGateway> => {
    const gateway = await openTestGateway({ env, limits });
    closers.push(() => gateway.close());
    return gateway;
  };
  const open = (gateway: TestGateway, text: string): Socket => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(text));
    socket.on('error', () => undefined);
    closers.push(() => socket.destroy());
    return socket;
  };
  before(async () => {
    const { redis } = await openTestRedis();
    redis.disconnect();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  const metricsOf = async ({ metricsPort }: TestGateway): Promise<string> =>
    (await send(`http://127.0.0.1:${metricsPort}`, { path: '/metrics' })).text;

  /** Sends one byte of a body at short intervals until the connection ends. Answers the received text. */
  async function drip(gateway: TestGateway, head: string): Promise<string> {
    const socket = open(gateway, `${head}Content-Length: 5000\r\n\r\n{`);
    const dripping = setInterval(() => socket.write(' '), 20);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(dripping);
    return received;
  }

  it('a body that arrives too slowly gets one 408, and the connection ends', async () => {
    const received = await drip(await start(), JSON_HEAD);
    expect(received).to.match(/^HTTP\/1\.1 408 .*Connection: close.*"body"/s);
    expect(answerCount(received)).to.equal(1);
  });

  it('a slow body whose request already has an answer gets no second answer', async () => {
    const gateway = await start();
    for (const [path, status] of [
      ['/nowhere', 404],
      ['/docs', 405],
      ['/creatives/x', 405],
    ] as const) {
      const received = await drip(gateway, JSON_HEAD.replace(INITIALIZE, path));
      expect(received).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answerCount(received), path).to.equal(1);
    }
  });

  it('headers that arrive too slowly get one 408, and the connection ends', async () => {
    const received = await exchange((await start()).port, 'GET /docs HTTP/1.1\r\nHost: a\r\n');
    expect(received).to.match(/^HTTP\/1\.1 408 .*Connection: close/s);
    expect(answerCount(received)).to.equal(1);
  });

  it('the connection ends after 413, and the client can read the answer', async () => {
    const gateway = await start();
    for (const framing of ['Content-Length: 900000\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\ndbba0\r\n']) {
      const received = await exchange(gateway.port, `${JSON_HEAD}${framing}${'x'.repeat(900_000)}`);
      expect(received).to.match(/^HTTP\/1\.1 413 .*Connection: close.*"body"/s);
      expect(answerCount(received)).to.equal(1);
    }
  });

  it('a request after the last answer of its connection is ignored', async () => {
    const gateway = await start();
    const body = JSON.stringify(VALID_BODIES[INITIALIZE]);
    const next = `${JSON_HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
    const large = `${JSON_HEAD}Content-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`;
    const received = await exchange(gateway.port, large, next);
    expect(received).to.match(/^HTTP\/1\.1 413 /);
    expect(answerCount(received)).to.equal(1);
    expect(gateway.peers.received).to.deep.equal([]);
  });

  describe('a request that other servers read differently', () => {
    const body = JSON.stringify(VALID_BODIES[INITIALIZE]);
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    for (const [name, text] of [
      ['a line of HTTP/0.9', `GET ${INITIALIZE}\r\n\r\n`],
      ['a line of HTTP/0.9 for a creative file', 'GET /creatives/x\r\n\r\n'],
      ['two Host headers', 'GET /docs HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
      ['two equal Host headers', 'GET /creatives/x HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
      ['chunks within gzip', `${JSON_HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n${chunks}`],
      ['chunks in HTTP/1.0', `${JSON_HEAD.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n${chunks}`],
    ] as const) {
      it(`is 400 with the envelope, and the connection ends: ${name}`, async () => {
        const received = await exchange((await start()).port, text);
        expect(received).to.match(/^HTTP\/1\.1 400 .*Connection: close.*"validation_failed".*"request"/s);
        expect(answerCount(received)).to.equal(1);
      });
    }
  });

  it('of one network are limited, but not those of a trusted proxy', async () => {
    const bounded = await start({ TRUST_PROXY: '10.0.0.0/8', NETWORK_CONNECTIONS_MAX: '3' });
    const held = [1, 2, 3].map(() => open(bounded, 'GET /docs HTTP/1.1\r\n'));
    await untilTrue(() => held.every((socket) => socket.bytesWritten > 0));
    const ended = new Promise((resolve) => open(bounded, 'GET /docs HTTP/1.1\r\n').on('close', resolve));
    await ended;
    expect(await metricsOf(bounded)).to.contain(
      'placard_rate_limited_total{group="connections",dimension="network"} 1',
    );
    held[0]?.destroy();
    const isOpen = () =>
      send(bounded.url, { path: '/healthz', headers: { Connection: 'close' } }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await untilTrue(isOpen);
    const proxied = await start({ NETWORK_CONNECTIONS_MAX: '3' });
    for (let i = 0; i < 6; i += 1) open(proxied, 'GET /docs HTTP/1.1\r\n');
    expect((await send(proxied.url, { path: '/healthz' })).status).to.equal(200);
  });

  describe('that read slowly', () => {
    /** Requests for the large file that console-service has received. */
    let largeRequests = 0;
    const startLarge = async (limits: HttpLimits): Promise<TestGateway> => {
      largeRequests = 0;
      const large = Buffer.alloc(LARGE_BYTES);
      const target = await openTestConsole((req, res) => {
        if (req.url === '/creatives/small') {
          res.end('small');
          return;
        }
        largeRequests += 1;
        res.writeHead(200, { 'Content-Length': LARGE_BYTES }).end(large);
      });
      closers.push(() => target.close());
      return start({ CONSOLE_HTTP_URL: target.url }, limits);
    };
    const from = (address: string) => ({ Host: 'a', 'X-Forwarded-For': address });
    const ask = (gateway: TestGateway, address: string): Promise<HttpAnswer> =>
      send(gateway.url, { path: '/creatives/small', headers: from(address) });
    const hold = (gateway: TestGateway, address: string): Socket =>
      open(
        gateway,
        `GET /creatives/large HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      ).pause();

    it('hold a few slots of their network, and none of another', async () => {
      const creatives = { ...HTTP_LIMITS.creatives, openPerNetworkMax: SLOTS };
      const gateway = await startLarge({ ...HTTP_LIMITS, creatives });
      const held = [1, 2, 3, 4].map((i) => hold(gateway, `198.51.100.${i}`));
      await untilTrue(() => largeRequests === held.length);
      const refused = await ask(gateway, '198.51.100.200');
      expectError(refused, 429, 'rate_limited');
      expect(refused.headers['retry-after']).to.match(/^\d+$/);
      expect((await ask(gateway, '203.0.113.5')).text).to.equal('small');
      for (const socket of held) socket.destroy();
      await untilTrue(async () => (await ask(gateway, '198.51.100.9')).status === 200);
    });

    it('are disconnected, and free their slots', async () => {
      const gateway = await startLarge(SHORT);
      const held = [1, 2, 3, 4].map((i) => hold(gateway, `198.51.100.${i}`));
      const given =
        'placard_http_request_seconds_count{route="/creatives",status="499",outcome="client_gone"} 4';
      await untilTrue(async () => (await metricsOf(gateway)).includes(given));
      expect((await ask(gateway, '198.51.100.9')).status).to.equal(200);
      for (const socket of held) socket.resume();
      await untilTrue(() => held.every(({ closed }) => closed));
      for (const { bytesRead } of held) expect(bytesRead).to.be.lessThan(LARGE_BYTES);
    });
  });

  it('requests for creative files are counted by network, separately from the SDK API', async () => {
    const target = await openTestConsole();
    closers.push(() => target.close());
    const env = { CONSOLE_HTTP_URL: target.url, RATE_LIMITS: '{"creatives":{"network":2}}' };
    const gateway = await start(env);
    const ask = (method = 'GET') =>
      send(gateway.url, { method, path: '/creatives/x', headers: { 'X-Forwarded-For': '192.0.2.9' } });
    expect([(await ask()).status, (await ask('HEAD')).status]).to.deep.equal([200, 200]);
    expectInvalid(await ask('DELETE'), ['method'], 405);
    const refused = await ask();
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).to.match(/^([1-9]|[1-5]\d|60)$/);
    expect(await metricsOf(gateway)).to.contain(
      'placard_rate_limited_total{group="creatives",dimension="network"} 1',
    );
  });

  it('log-ins of users are counted by network, separately from the management API', async () => {
    const target = await openTestConsole();
    closers.push(() => target.close());
    const gateway = await start({ MANAGE_URL: target.url, RATE_LIMITS: '{"login":{"network":1}}' });
    const ask = (method: string, path: string) =>
      send(gateway.url, { method, path, headers: { 'X-Forwarded-For': '192.0.2.9' } });
    expect((await ask('POST', '/manage/v1/sessions')).status).to.equal(200);
    const refused = await ask('POST', '/manage/v1/sessions');
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).to.match(/^([1-9]|[1-5]\d|60)$/);
    expect((await ask('GET', '/manage/v1/me')).status).to.equal(200);
  });
});
