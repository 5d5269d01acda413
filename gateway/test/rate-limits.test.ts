import { appError, type ErrorCode } from '@placard/service-kit';
import type { RedisClient } from '@placard/service-kit/redis';
import { makeTestClock, type TestClock } from '@placard/service-kit/testing';
import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { openTestGateway, type TestGateway } from './gateway.js';
import { expectError, expectInvalid, post, send, VALID_BODIES, type HttpAnswer } from './http.js';

const MINUTE = 60_000;
const EVENTS = ['/v1/events/impression', '/v1/events/click', '/v1/events/reward'];
let networks = 0;

describe('rate limits', () => {
  let gateway: TestGateway;
  let redis: RedisClient;
  let clock: TestClock;

  /** A client in a network that no other test uses. */
  const network = (): string => {
    networks += 1;
    return `100.${Math.floor(networks / 250)}.${networks % 250}.9`;
  };
  const valid = (path: string, more: object = {}) => ({ ...VALID_BODIES[path], ...more });
  const from = (address: string, path: string, body: object) =>
    post(gateway.url, path, body, { 'X-Forwarded-For': address });
  const many = async (count: number, call: (i: number) => Promise<HttpAnswer>): Promise<HttpAnswer[]> => {
    const answers: HttpAnswer[] = [];
    for (let i = 0; i < count; i += 50) {
      answers.push(
        ...(await Promise.all(Array.from({ length: Math.min(50, count - i) }, (_, j) => call(i + j)))),
      );
    }
    return answers;
  };
  const ok = (answers: readonly HttpAnswer[]): number =>
    answers.filter(({ status }) => status === 200).length;

  before(async () => {
    ({ redis } = await openTestRedis());
    clock = makeTestClock(Math.floor(Date.now() / MINUTE) * MINUTE + 5_000);
    gateway = await openTestGateway({ clock });
  });
  after(async () => {
    await gateway.close();
    redis.disconnect();
  });

  it('POST /sdk/initialize: exactly 600 of a network pass, then 429 with Retry-After; others pass', async () => {
    const [busy, other] = [network(), network()];
    const call = (i: number) =>
      from(busy, '/v1/sdk/initialize', valid('/v1/sdk/initialize', { app_key: `app_${i % 7}` }));
    const answers = await many(640, call);
    expect(ok(answers)).to.equal(600);
    const refused = answers.find(({ status }) => status === 429)!;
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).to.match(/^([1-9]|[1-5]\d|60)$/);
    expect((await from(other, '/v1/sdk/initialize', valid('/v1/sdk/initialize'))).status).to.equal(200);
  });

  it('one request passes after the seconds of Retry-After, and none a second before', async () => {
    const busy = network();
    const call = () => from(busy, '/v1/ads/request', valid('/v1/ads/request', { session_token: 'retry' }));
    await many(120, call);
    const seconds = Number((await call()).headers['retry-after']);
    clock.advance((seconds - 1) * 1_000);
    expect((await call()).status).to.equal(429);
    clock.advance(1_000);
    expect((await call()).status).to.equal(200);
  });

  it('POST /sdk/initialize: the limit of an app key covers all networks', async () => {
    const small = await openTestGateway({
      clock,
      env: { RATE_LIMITS: '{"sdk.initialize":{"app_key":300}}' },
    });
    const addresses = Array.from({ length: 8 }, network);
    const body = valid('/v1/sdk/initialize', { app_key: 'app_busy' });
    try {
      const answers = await many(340, (i) =>
        post(small.url, '/v1/sdk/initialize', body, { 'X-Forwarded-For': addresses[i % 8] }),
      );
      expect(ok(answers)).to.equal(300);
      const other = valid('/v1/sdk/initialize', { app_key: 'app_idle' });
      expect((await post(small.url, '/v1/sdk/initialize', other)).status).to.equal(200);
    } finally {
      await small.close();
    }
  });

  it('POST /ads/request: exactly 120 of a session pass, even with an invalid token', async () => {
    const body = valid('/v1/ads/request', { session_token: 'no token at all' });
    const answers = await many(150, () => from(network(), '/v1/ads/request', body));
    expect(ok(answers)).to.equal(120);
  });

  it('a burst around a full minute does not pass twice the limit', async () => {
    const call = () =>
      from(network(), '/v1/ads/request', valid('/v1/ads/request', { session_token: 'edge' }));
    const edge = (Math.floor(clock.now() / MINUTE) + 2) * MINUTE;
    clock.set(edge - 400);
    const before = await many(120, call);
    clock.set(edge + 400);
    const after = await many(120, call);
    expect(ok(before)).to.equal(120);
    expect(ok(before) + ok(after)).to.be.at.most(125);
  });

  it('impression, click and reward share a limit of 20 per request id', async () => {
    const ids = { request_id: 'req_shared', impression_token: 'x' };
    const answers = await many(20, (i) => from(network(), EVENTS[i % 3]!, { ...ids, completion: true }));
    expect(ok(answers)).to.equal(20);
    for (const path of EVENTS) {
      const answer = await from(network(), path, { ...ids, completion: true });
      expectError(answer, 429, 'rate_limited');
      expect(answer.headers).to.have.property('retry-after');
    }
    expect(
      (await from(network(), EVENTS[0]!, { request_id: 'req_other', impression_token: 'y' })).status,
    ).to.equal(200);
  });

  it('20 pass per impression token, even with invented request ids', async () => {
    const ids = (index: number) => ({ request_id: `req_made_up_${index}`, impression_token: 'one.token' });
    const answers = await many(60, (i) => from(network(), EVENTS[i % 3]!, { ...ids(i), completion: true }));
    expect(ok(answers)).to.equal(20);
    expectError(await from(network(), EVENTS[0]!, ids(60)), 429, 'rate_limited');
    const other = { request_id: 'req_made_up_60', impression_token: 'another.token' };
    expect((await from(network(), EVENTS[0]!, other)).status, 'the request id was given back').to.equal(200);
  });

  it('POST /events/fallback: 120 of a session pass, counted separately from ad requests', async () => {
    const body = valid('/v1/events/fallback', { session_token: 'apart' });
    expect(ok(await many(125, () => from(network(), '/v1/events/fallback', body)))).to.equal(120);
    const ads = valid('/v1/ads/request', { session_token: 'apart' });
    expect((await from(network(), '/v1/ads/request', ads)).status).to.equal(200);
  });

  it('a request that is refused for its session is not counted for its network and app key', async () => {
    const env = { RATE_LIMITS: '{"ads.request":{"session":2,"network":5,"app_key":5}}' };
    const small = await openTestGateway({ clock, env });
    const headers = { 'X-Forwarded-For': network() };
    const ask = (session_token: string, app_key = 'app_refund') =>
      post(small.url, '/v1/ads/request', valid('/v1/ads/request', { session_token, app_key }), headers);
    try {
      const greedy = [];
      for (let i = 0; i < 12; i += 1) greedy.push(await ask('greedy'));
      expect(ok(greedy)).to.equal(2);
      const others = [await ask('b'), await ask('c'), await ask('d')];
      expect(ok(others)).to.equal(3);
      expect((await ask('e')).status).to.equal(429);
    } finally {
      await small.close();
    }
  });

  describe('requests that a service refuses', () => {
    const codes = [
      'invalid_app_key',
      'invalid_session',
      'session_expired',
      'package_mismatch',
      'app_not_approved',
    ];
    const junk = [1, 2, 3, 4].map(() => network());
    const genuine = network();
    /** Services that accept one token and one package. */
    const guard = ({ session, serving }: TestGateway['peers'], code: () => ErrorCode): void => {
      const { startSession } = session;
      const { requestAd } = serving;
      session.startSession = (request, call) => {
        if (request.packageName !== 'genuine') throw appError(code(), 'no');
        return startSession(request, call);
      };
      serving.requestAd = (request, call) => {
        if (!request.sessionToken.startsWith('genuine')) throw appError(code(), 'no');
        return requestAd(request, call);
      };
    };
    let counter = 0;
    let appKey: string;
    beforeEach(() => (appKey = `app_victim_${(counter += 1)}`));
    const bodyOf = (path: string, word: string): object => {
      counter += 1;
      const own = path.endsWith('initialize')
        ? { package_name: word }
        : { session_token: `${word}.${counter}` };
      return valid(path, { app_key: appKey, ...own });
    };

    for (const path of ['/v1/sdk/initialize', '/v1/ads/request']) {
      // From 3,000 on a limit is counted in leases.
      for (const [limit, attempts] of [
        [20, 200],
        [3_000, 3_020],
      ] as const) {
        it(`do not use up the limit of their app key: ${path}, ${limit} a minute`, async () => {
          const group = path.slice('/v1/'.length).replace('/', '.');
          const limits = { [group]: { app_key: limit, network: 0, session: 0 } };
          if (group === 'sdk.initialize') Reflect.deleteProperty(limits[group]!, 'session');
          const small = await openTestGateway({ clock, env: { RATE_LIMITS: JSON.stringify(limits) } });
          let next = 0;
          guard(small.peers, () => codes[(next += 1) % codes.length] as ErrorCode);
          const ask = (address: string, word: string) =>
            post(small.url, path, bodyOf(path, word), { 'X-Forwarded-For': address });
          try {
            for (let i = 0; i < attempts; i += 10) {
              const refused = await Promise.all(junk.concat(junk).map((address) => ask(address, 'junk')));
              for (const { status } of refused) expect(status).to.be.oneOf([401, 403]);
            }
            const answers = await many(limit, () => ask(genuine, 'genuine'));
            expect(ok(answers)).to.equal(limit);
            expectError(await ask(genuine, 'genuine'), 429, 'rate_limited');
            expectError(await ask(junk[0]!, 'junk'), 429, 'rate_limited');
          } finally {
            await small.close();
          }
        });
      }
    }

    /** The statuses of consecutive ad requests with one limit of the app key, all of which are refused with `code`. */
    const refusedInTurn = async (code: ErrorCode, limits: object, attempts: number): Promise<number[]> => {
      const path = '/v1/ads/request';
      const env = { RATE_LIMITS: JSON.stringify({ 'ads.request': { app_key: 2, session: 0, ...limits } }) };
      const small = await openTestGateway({ clock, env });
      guard(small.peers, () => code);
      const headers = { 'X-Forwarded-For': network() };
      const statuses: number[] = [];
      for (let i = 0; i < attempts; i += 1)
        statuses.push((await post(small.url, path, bodyOf(path, 'junk'), headers)).status);
      await small.close();
      return statuses;
    };

    it('are still counted for their network', async () => {
      const statuses = await refusedInTurn('invalid_session', { network: 5 }, 8);
      expect(statuses).to.deep.equal([401, 401, 401, 401, 401, 429, 429, 429]);
    });

    it('are still counted for their app key when only the placement is unknown', async () => {
      expect(await refusedInTurn('placement_not_found', {}, 3)).to.deep.equal([404, 404, 429]);
    });
  });

  it('0 disables a limit', async () => {
    const env = { RATE_LIMITS: '{"ads.request":{"session":0,"network":3}}' };
    const small = await openTestGateway({ clock, env });
    const body = valid('/v1/ads/request', { session_token: 'off' });
    const headers = { 'X-Forwarded-For': network() };
    try {
      const answers = await many(10, () => post(small.url, '/v1/ads/request', body, headers));
      expect(ok(answers)).to.equal(3);
      const elsewhere = await many(130, () =>
        post(small.url, '/v1/ads/request', body, { 'X-Forwarded-For': network() }),
      );
      expect(ok(elsewhere)).to.equal(130);
    } finally {
      await small.close();
    }
  });

  it('the network is an IPv4 /24 or an IPv6 /48, and IPv4-mapped is IPv4', async () => {
    const env = { RATE_LIMITS: '{"events.fallback":{"session":0,"network":1}}' };
    const small = await openTestGateway({ clock, env });
    const call = async (address: string) =>
      (
        await post(small.url, '/v1/events/fallback', valid('/v1/events/fallback'), {
          'X-Forwarded-For': address,
        })
      ).status;
    try {
      expect(await call('198.18.7.1')).to.equal(200);
      expect(await call('198.18.7.255')).to.equal(429);
      expect(await call('::ffff:198.18.7.3')).to.equal(429);
      expect(await call('::ffff:c612:0703')).to.equal(429);
      expect(await call('198.18.8.1')).to.equal(200);
      expect(await call('2001:db8:77::1')).to.equal(200);
      expect(await call('[2001:db8:77:ffff::2]:443')).to.equal(429);
      expect(await call('2001:db8:78::1')).to.equal(200);
    } finally {
      await small.close();
    }
  });

  it('unknown paths and wrong methods do not count, and invalid bodies do, after the network limit', async () => {
    const env = { RATE_LIMITS: '{"sdk.initialize":{"network":3}}' };
    const small = await openTestGateway({ clock, env });
    const headers = { 'X-Forwarded-For': network() };
    try {
      for (let i = 0; i < 10; i += 1) {
        await send(small.url, { path: '/v1/sdk/initialize', headers });
        await send(small.url, { method: 'POST', path: '/v1/sdk/initialize/', headers });
      }
      expectInvalid(await post(small.url, '/v1/sdk/initialize', '{', headers), ['body']);
      expectInvalid(await post(small.url, '/v1/sdk/initialize', {}, headers), ['app_key', 'package_name']);
      expectInvalid(await post(small.url, '/v1/sdk/initialize', 'x'.repeat(17_000), headers), ['body'], 413);
      expect((await post(small.url, '/v1/sdk/initialize', 'x'.repeat(17_000), headers)).status).to.equal(429);
      expect((await send(small.url, { path: '/v1/sdk/initialize', headers })).status).to.equal(405);
    } finally {
      await small.close();
    }
  });

  it('forged headers of an untrusted peer give no fresh bucket', async () => {
    const env = { TRUST_PROXY: '10.0.0.0/8', RATE_LIMITS: '{"sdk.initialize":{"network":60}}' };
    const open = await openTestGateway({ clock, env });
    try {
      const answers = await many(70, (i) => {
        const forged = `203.0.${i}.7`;
        const headers = Object.fromEntries(
          ['X-Forwarded-For', 'X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP'].map((name) => [
            name,
            forged,
          ]),
        );
        const body = valid('/v1/sdk/initialize');
        return post(open.url, '/v1/sdk/initialize', body, { ...headers, Forwarded: `for=${forged}` });
      });
      expect(ok(answers)).to.equal(60);
    } finally {
      await open.close();
    }
  });

  it('a trusted proxy’s own entry is used, not the forged ones before it', async () => {
    const small = await openTestGateway({ clock, env: { RATE_LIMITS: '{"sdk.initialize":{"network":60}}' } });
    const real = network();
    try {
      const answers = await many(70, (i) => {
        const headers = { 'X-Forwarded-For': `203.1.${i}.7, ${real}` };
        return post(small.url, '/v1/sdk/initialize', valid('/v1/sdk/initialize'), headers);
      });
      expect(ok(answers)).to.equal(60);
    } finally {
      await small.close();
    }
  });

  it('every key has an expiry of at most two minutes and holds no address, token or app key', async () => {
    await from(
      '192.0.2.77',
      '/v1/ads/request',
      valid('/v1/ads/request', { session_token: 'secret-token', app_key: 'secret-app' }),
    );
    const keys = await redis.keys('*');
    expect(keys).to.have.length.greaterThan(10);
    for (const key of keys) {
      expect(key).to.match(/^rl:\{[a-z.]+:(network|session|app_key|request_id):[\w-]{22}\}$/);
      expect(await redis.pttl(key)).to.be.within(1, 120_000);
    }
    expect(keys.join()).not.to.match(/192\.0\.2|secret/);
  });
});
