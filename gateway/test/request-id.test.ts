import { makeLogger } from '@placard/service-kit';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { openTestConsole, type TestConsole } from './console.js';
import { openTestGateway, type TestGateway } from './gateway.js';
import { send, VALID_BODIES, type HttpAnswer, type HttpRequest } from './http.js';
import { exchange } from './raw-http.js';

const ID = /^req_[0-9a-f]{32}$/;
const AD = `req_${'0a'.repeat(16)}`;
const INITIALIZE = '/v1/sdk/initialize';
const JSON_TYPE = { 'Content-Type': 'application/json' };

type Line = Readonly<Record<string, unknown>>;

/** Contract: docs/contract/requests.md#request-id. */
describe('the id of a request', () => {
  let gateway: TestGateway;
  let target: TestConsole;
  let lines: Line[];
  const log = makeLogger('gateway', 'debug', {
    destination: { write: (text) => void lines.push(JSON.parse(text) as Line) },
  });

  before(async () => {
    lines = [];
    const { redis } = await openTestRedis();
    redis.disconnect();
    target = await openTestConsole();
    gateway = await openTestGateway({
      log,
      env: {
        CONSOLE_HTTP_URL: target.url,
        EVENTS_SERVICE_ADDRESS: '127.0.0.1:1',
        RATE_LIMITS: '{"events.fallback":{"session":1}}',
      },
    });
  });
  after(async () => {
    await gateway.close();
    target.close();
  });
  beforeEach(() => {
    lines.length = 0;
  });

  const sent = (path: string, over: Partial<HttpRequest> = {}): Promise<HttpAnswer> =>
    send(gateway.url, {
      method: 'POST',
      path,
      headers: JSON_TYPE,
      body: JSON.stringify(VALID_BODIES[path] ?? {}),
      ...over,
    });

  const kinds: readonly (readonly [status: number, path: string, over?: Partial<HttpRequest>])[] = [
    [200, INITIALIZE],
    [200, '/v1/ads/request'],
    [200, '/docs', { method: 'GET', body: undefined }],
    [200, '/healthz', { method: 'GET', body: undefined }],
    [200, '/creatives/banner.png', { method: 'GET', body: undefined }],
    [404, '/nowhere'],
    [405, '/v1/ads/request', { method: 'DELETE' }],
    [405, '/creatives/banner.png', { method: 'PUT' }],
    [413, INITIALIZE, { body: 'x'.repeat(20_000) }],
    [422, INITIALIZE, { body: '{' }],
    [500, '/v1/events/click'],
    [500, '/v1/events/fallback'],
    [429, '/v1/events/fallback'],
  ];
  it('is in the header of every kind of answer, and is another one each time', async () => {
    const ids = [];
    for (const [status, path, over] of kinds) {
      const answer = await sent(path, over);
      expect(answer.status, `${path} ${answer.text}`).to.equal(status);
      ids.push(answer.headers['x-request-id']);
    }
    for (const id of ids) expect(id).to.match(ID);
    expect(new Set(ids).size).to.equal(kinds.length);
  });

  it('is in answers to requests that are no valid HTTP', async () => {
    for (const text of [
      'GET /docs HTTP/9\r\n\r\n',
      'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
      'PURGE-ALL /docs HTTP/1.1\r\nHost: a\r\n\r\n',
    ])
      expect(await exchange(gateway.port, text), text).to.match(/^X-Request-Id: req_[0-9a-f]{32}\r$/m);
  });

  it('is not the one that a client sends, for the gateway and behind it', async () => {
    const headers = { ...JSON_TYPE, 'X-Request-Id': AD };
    expect((await sent(INITIALIZE, { headers })).headers['x-request-id'])
      .to.match(ID)
      .and.not.equal(AD);
    const proxied = await sent('/creatives/banner.png', { method: 'GET', body: undefined, headers });
    expect(proxied.headers['x-request-id']).to.match(ID).and.not.equal(AD);
    expect(target.seen.at(-1)?.headers['x-request-id']).to.equal(proxied.headers['x-request-id']);
  });

  it('goes with the call to the service', async () => {
    let given = '';
    const { requestAd } = gateway.peers.serving;
    gateway.peers.serving.requestAd = (request, call) => {
      given = call.requestId;
      return requestAd(request, call);
    };
    const answer = await sent('/v1/ads/request');
    gateway.peers.serving.requestAd = requestAd;
    expect(given).to.equal(answer.headers['x-request-id']);
  });

  it('is in each log line of the request, with the ad whose event it reports', async () => {
    const body = JSON.stringify({ request_id: AD, impression_token: 'token' });
    const answer = await sent('/v1/events/impression', { body });
    const requestId = answer.headers['x-request-id'];
    const own = lines.filter((line) => line['requestId'] === requestId);
    expect(own.map(({ msg }) => msg)).to.deep.equal(['a request failed', 'answered']);
    for (const line of own) expect(line).to.include({ adRequestId: AD, route: '/v1/events/impression' });
    expect(lines.filter(({ route }) => route !== undefined)).to.deep.equal(own);
  });

  it('of an ad is left out of log lines when the client sent another text', async () => {
    await sent('/v1/events/impression', {
      body: JSON.stringify({ request_id: '10.1.2.3', impression_token: 'token' }),
    });
    expect(JSON.stringify(lines)).to.not.include('10.1.2.3');
  });
});
