import { appError, openDoors } from '@placard/service-kit';
import { until } from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { Agent } from 'node:http';
import { openTestGateway, type TestGateway } from './gateway.js';
import { send, VALID_BODIES, type HttpAnswer } from './http.js';

/** More requests than may run at the same time in a process that has not learned yet. */
const FLOOD = 400;
/** More than the flood and fewer than the flood with those that come after it. */
const NETWORK_LIMIT = 450;
const AFTERWARDS = 100;
/** A web page that may call the SDK API. */
const PAGE = 'https://app.example.com';

// Contract: docs/contract/failures.md#overload.
describe('a gateway with more requests than it can answer', () => {
  let gateway: TestGateway;
  let agent: Agent;
  let finish: () => void;
  let begun: number;
  let answers: HttpAnswer[];
  let flood: readonly Promise<unknown>[];

  function post(path: string, body: unknown = VALID_BODIES[path], more: object = {}): Promise<HttpAnswer> {
    const headers = { 'Content-Type': 'application/json', ...more };
    return send(gateway.url, { method: 'POST', path, headers, body: JSON.stringify(body), agent });
  }

  function door() {
    return gateway.scope.once(openDoors).of('ads');
  }

  /** The answers of requests that did not begin. A test on a busy machine may have others, that took too long. */
  function refused(): readonly HttpAnswer[] {
    return answers.filter(({ headers }) => headers['retry-after'] !== undefined);
  }

  beforeEach(async () => {
    const { redis } = await openTestRedis();
    redis.disconnect();
    const limits = {
      'ads.request': { network: NETWORK_LIMIT, session: 0, app_key: 0 },
      events: { network: 5, request_id: 0 },
    };
    gateway = await openTestGateway({
      env: { RATE_LIMITS: JSON.stringify(limits), CORS_ORIGINS: PAGE },
    });
    agent = new Agent({ keepAlive: true });
    begun = 0;
    answers = [];
    await post('/v1/ads/request');
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const { requestAd } = gateway.peers.serving;
    gateway.peers.serving.requestAd = async (request, call) => {
      begun += 1;
      await finished;
      return requestAd(request, call);
    };
    const ask = async () => answers.push(await post('/v1/ads/request'));
    flood = Array.from({ length: FLOOD }, ask);
    await until(() => refused().length > 0 && door().waiting === 0);
  });

  afterEach(async () => {
    finish();
    await Promise.allSettled(flood);
    agent.destroy();
    await gateway.close();
  });

  it('refuses those beyond its limit, and asks no service for them', async () => {
    expect(begun).to.be.at.least(door().limit);
    finish();
    await Promise.all(flood);
    expect(begun).to.be.at.most(FLOOD - refused().length);
  });

  it('refuses with the envelope of server_error and Retry-After, from 1 to 5 seconds', () => {
    for (const { status, json } of refused()) {
      expect(status).to.equal(500);
      expect(json).to.have.nested.property('error.code', 'server_error');
    }
    const seconds = new Set(refused().map(({ headers }) => headers['retry-after']));
    expect([...seconds].sort()).to.deep.equal(['1', '2', '3', '4', '5']);
  });

  it('lets web pages read a refusal, and answers their preflights', async () => {
    const refusal = await post('/v1/ads/request', VALID_BODIES['/v1/ads/request'], { Origin: PAGE });
    expect(refusal.status).to.equal(500);
    expect(refusal.headers).to.include({ 'access-control-allow-origin': PAGE });
    expect(refusal.headers['access-control-expose-headers']).to.contain('Retry-After');
    const preflight = await send(gateway.url, {
      method: 'OPTIONS',
      path: '/v1/ads/request',
      headers: { Origin: PAGE, 'Access-Control-Request-Method': 'POST' },
      agent,
    });
    expect(preflight.status).to.equal(204);
  });

  it('answers events and sessions while ad requests are refused', async () => {
    expect((await post('/v1/events/impression')).status).to.equal(200);
    expect((await post('/v1/sdk/initialize')).status).to.equal(200);
  });

  it('shows its health', async () => {
    const health = await send(gateway.url, { path: '/healthz', agent });
    expect(health.status).to.equal(200);
  });

  it('answers ad requests again once the others have their answers', async () => {
    finish();
    await Promise.all(flood);
    expect((await post('/v1/ads/request')).status).to.equal(200);
  });

  it('does not count refused requests for the rate limit of their network', async () => {
    finish();
    await Promise.all(flood);
    expect(answers.filter(({ status }) => status === 429)).to.deep.equal([]);
    expect(refused().length).to.be.above(FLOOD + AFTERWARDS - NETWORK_LIMIT);
    for (let sent = 0; sent < AFTERWARDS; sent += 1)
      expect((await post('/v1/ads/request')).status).to.not.equal(429);
  });

  it('counts no request that a service refuses, and gives its counts back once', async () => {
    finish();
    await Promise.all(flood);
    const network = { 'X-Forwarded-For': '198.51.100.7' };
    const ask = () => post('/v1/events/impression', VALID_BODIES['/v1/events/impression'], network);
    const { recordImpression } = gateway.peers.events;
    for (let sent = 0; sent < 3; sent += 1) expect((await ask()).status).to.equal(200);
    gateway.peers.events.recordImpression = () => Promise.reject(appError('overloaded', 'Too much to do.'));
    for (let sent = 0; sent < 3; sent += 1) expect((await ask()).status).to.equal(500);
    gateway.peers.events.recordImpression = recordImpression;
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await ask()).status);
    expect(statuses, 'of a limit of 5').to.deep.equal([200, 200, 429, 429]);
  });

  it('counts a refusal as a request with an error', async () => {
    finish();
    await Promise.all(flood);
    const metrics = await gateway.scope.metrics.metrics();
    const ofGateway = /placard_overload_refused_total\{kind="ads"\} (\d+)/.exec(metrics)?.[1];
    const counted =
      /placard_http_request_seconds_count\{route="\/v1\/ads\/request",status="500",outcome="overloaded"\} (\d+)/.exec(
        metrics,
      )?.[1];
    expect(Number(ofGateway)).to.be.at.least(1);
    expect(Number(counted)).to.equal(refused().length);
  });
});
