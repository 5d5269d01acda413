import { openDoors } from '@placard/service-kit';
import { expect } from 'chai';
import { HTTP_LIMITS } from '../../src/edge/domain/http-limits.js';
import { openTestConsole, type TestConsole } from '../console.js';
import { openTestGateway, type TestGateway, type TestGatewayOptions } from '../gateway.js';
import { expectProblem, send } from '../http.js';
import { exchange } from '../raw-http.js';

const KEYS = '/manage/v1/keys';
const METHODS = 'GET, POST, PUT, PATCH, DELETE';

/** Contract: docs/management-api.md. */
describe('what the gateway itself answers at the management API', () => {
  const closers: (() => unknown)[] = [];
  let target: TestConsole;
  let gateway: TestGateway;
  const open = async (options: TestGatewayOptions): Promise<TestGateway> => {
    const opened = await openTestGateway(options);
    closers.push(() => opened.close());
    return opened;
  };
  before(async () => {
    target = await openTestConsole();
    gateway = await open({ env: { MANAGE_URL: target.url } });
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
    target.close();
  });

  it('is 503 with Retry-After while console-service cannot be reached', async () => {
    const alone = await open({ env: { MANAGE_URL: 'http://127.0.0.1:1' } });
    const answer = await send(alone.url, { path: KEYS });
    expectProblem(answer, 503, 'unavailable');
    expect(answer.headers['retry-after']).to.equal('5');
    expect(answer.text).not.to.match(/127\.0\.0\.1|ECONNREFUSED/);
  });

  it('is 504 when console-service does not answer in time', async () => {
    const silent = await openTestConsole(() => undefined);
    closers.push(() => silent.close());
    const limits = { ...HTTP_LIMITS, silenceMs: 500, manage: { ...HTTP_LIMITS.manage, beginMs: 700 } };
    const waiting = await open({ env: { MANAGE_URL: silent.url }, limits });
    expectProblem(await send(waiting.url, { path: KEYS }), 504, 'deadline_exceeded');
  });

  it('is 405 with Allow for other methods', async () => {
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await send(gateway.url, { method, path: KEYS });
      expectProblem(answer, 405, 'invalid_argument');
      expect(answer.headers.allow).to.equal(METHODS);
    }
    const head = await send(gateway.url, { method: 'HEAD', path: KEYS });
    expect(head).to.include({ status: 405, text: '' });
    expect(head.headers).to.include({
      allow: METHODS,
      'content-type': 'application/problem+json; charset=utf-8',
    });
    const unknown = await exchange(gateway.port, `FOO ${KEYS} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(unknown).to.match(/^HTTP\/1.1 405 .*application\/problem\+json.*Allow: GET, .*"about:blank"/s);
    const login = await send(gateway.url, { path: '/manage/v1/sessions' });
    expectProblem(login, 405, 'invalid_argument');
    expect(login.headers.allow).to.equal('POST');
  });

  it('is 400 and 413 for what it does not pass on, and ends the connection', async () => {
    const broken = await send(gateway.url, { path: KEYS, body: '{}' });
    expectProblem(broken, 400, 'invalid_argument');
    expect(broken.headers.connection).to.equal('close');
    const { bodyBytesMax } = HTTP_LIMITS.manage;
    const text = `POST ${KEYS} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytesMax + 1}\r\n\r\n{`;
    const large = await exchange(gateway.port, text);
    expect(large).to.match(/^HTTP\/1.1 413 .*application\/problem\+json.*"The body must not be larger /s);
    const chunks = `POST ${KEYS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const cut = await exchange(gateway.port, chunks);
    expect(cut).to.match(/^HTTP\/1.1 400 .*application\/problem\+json/s);
  });

  it('is 404 for a path that would become another one on its way', async () => {
    const before = target.seen.length;
    for (const path of ['//publishers', '/keys//x', '//sessions', '/keys//', '/\\sessions', '/keys\\x']) {
      const answer = await send(gateway.url, { method: 'POST', path: `/manage/v1${path}`, body: '{}' });
      expectProblem(answer, 404, 'not_found');
      expect(answer.headers.connection).to.equal('close');
    }
    expect(target.seen.length).to.equal(before);
    expect((await send(gateway.url, { path: '/manage/v1/keys/a%2F%2Fb?x=//' })).json).to.include({
      url: '/manage/v1/keys/a%2F%2Fb?x=//',
    });
  });

  it('is 429 and 503 with Retry-After when there is too much to do', async () => {
    const limited = await open({ env: { MANAGE_URL: target.url, RATE_LIMITS: '{"manage":{"network":1}}' } });
    const ask = () => send(limited.url, { path: KEYS, headers: { 'X-Forwarded-For': '192.0.2.31' } });
    expect((await ask()).status).to.equal(200);
    const refused = await ask();
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).to.match(/^([1-9]|[1-5]\d|60)$/);
    Object.assign(limited.scope.once(openDoors).of('reports'), { isClosed: () => true });
    const overloaded = await ask();
    expectProblem(overloaded, 503, 'overloaded');
    expect(overloaded.headers['retry-after']).to.match(/^[1-5]$/);
  });
});
