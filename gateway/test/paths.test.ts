import { expect } from 'chai';
import { openGatewayWithoutLimits, type TestGateway } from './gateway.js';
import { expectInvalid, expectSdkAnswer, post, send, VALID_BODIES, validBody } from './http.js';
import { exchange } from './raw-http.js';

const PATHS = Object.keys(VALID_BODIES);
const INITIALIZE = '/v1/sdk/initialize';
const ADS = '/v1/ads/request';

describe('paths, methods and answers', () => {
  let gateway: TestGateway;
  const to = (path: string, body?: object | string | Buffer, headers = {}) =>
    post(gateway.url, path, body, headers);

  before(async () => {
    gateway = await openGatewayWithoutLimits();
  });
  after(() => gateway.close());

  for (const path of PATHS) {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      it(`${method} ${path} is 405 with Allow: POST`, async () => {
        const answer = await send(gateway.url, { method, path });
        expectSdkAnswer(answer);
        expect(answer.headers.allow).to.equal('POST');
        if (method === 'HEAD') expect(answer).to.include({ status: 405, text: '' });
        else expectInvalid(answer, ['method'], 405);
      });
    }
  }

  it('paths are exact, and a query is ignored', async () => {
    const body = JSON.stringify(validBody(INITIALIZE));
    const headers = { 'Content-Type': 'application/json' };
    const others = [
      '/v1/sdk/initialize/',
      '//v1/sdk/initialize',
      '/v1/SDK/initialize',
      '/V1/sdk/initialize',
      '/v1/sdk/%69nitialize',
      '/v1//sdk/initialize',
      '/v1/sdk',
      '/',
      '/v1',
      '/sdk/initialize',
      '/v1/sdk/initialize%',
      '/v1/sdk/initialize;a',
      '/%',
      '/v1/openapi.json/',
      '/Docs',
    ];
    for (const path of others) {
      const answer = await send(gateway.url, { method: 'POST', path, headers, body });
      expectSdkAnswer(answer);
      expectInvalid(answer, ['path'], 404);
      expectInvalid(await send(gateway.url, { path }), ['path'], 404);
    }
    const queried = await send(gateway.url, {
      method: 'POST',
      path: `${INITIALIZE}?a=%&b[c]=1`,
      headers,
      body,
    });
    expect(queried.status).to.equal(200);
  });

  it('malformed HTTP gets the envelope too', async () => {
    const raw = (text: string) => exchange(gateway.port, text);
    expect(await raw('NONSENSE\r\n\r\n')).to.match(/^HTTP\/1.1 400 .*validation_failed/s);
    expect(await raw(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).to.match(
      /^HTTP\/1.1 431 .*no-store, private.*validation_failed/s,
    );
    expect(await raw('CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n')).to.match(
      /^HTTP\/1.1 405 .*Allow: POST.*validation_failed/s,
    );
    expect(await raw('GET /v1/sdk/initialize HTTP/1.0\r\n\r\n')).to.match(
      /^HTTP\/1.1 405 .*validation_failed/s,
    );
    expect(await raw('GET /v1/sdk/initialize HTTP/1.1\r\nConnection: close\r\n\r\n')).to.match(
      /^HTTP\/1.1 405 .*validation_failed/s,
    );
    expect(
      await raw('GET http://a.example/v1/sdk/initialize HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n'),
    ).to.match(/^HTTP\/1.1 405 /);
    const odd =
      'POST /v1/sdk/initialize HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    expect(await raw(odd)).to.match(/^HTTP\/1.1 422 .*validation_failed/s);
  });

  describe('a body with broken framing', () => {
    const start = (path: string, framing: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${framing}`;
    const expectRefused = (received: string): void => {
      expect(received).to.match(/^HTTP\/1.1 400 .*Connection: close.*"validation_failed".*"request"/s);
      expect(received).to.match(/no-store, private/);
      expect(received.match(/HTTP\/1\.1/g)).to.have.length(1);
    };

    for (const [name, framing] of [
      ['a transfer encoding that is none', 'Transfer-Encoding: gzip\r\n\r\n{}'],
      ['a chunk size that is none', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
      ['a second chunk size that is none', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n'],
      ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ] as const) {
      it(`is 400 with the envelope, once, and ends the connection: ${name}`, async () => {
        for (const path of PATHS) expectRefused(await exchange(gateway.port, start(path, framing)));
      });
    }

    it('is 400 even when it breaks while the body is read', async () => {
      const text = start(INITIALIZE, 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n');
      expectRefused(await exchange(gateway.port, text, 'zz\r\n'));
    });

    it('is answered for its path or its method first when these are wrong', async () => {
      const broken = 'Transfer-Encoding: gzip\r\n\r\n{}';
      expect(await exchange(gateway.port, start('/nowhere', broken))).to.match(/^HTTP\/1.1 404 .*"path"/s);
      const put = start(INITIALIZE, broken).replace('POST', 'PUT');
      expect(await exchange(gateway.port, put)).to.match(/^HTTP\/1.1 405 .*Allow: POST.*"method"/s);
    });

    it('does not replace the answer of the complete request before it', async () => {
      const body = JSON.stringify(validBody(INITIALIZE));
      const text = start(INITIALIZE, `Content-Length: ${body.length}\r\n\r\n${body}no HTTP\r\n\r\n`);
      const received = await exchange(gateway.port, text);
      expect(received).to.match(/^HTTP\/1.1 200 .*Connection: close.*session_token/s);
      expect(received.match(/HTTP\/1\.1/g)).to.have.length(1);
    });
  });

  describe('an unknown method', () => {
    const ask = (line: string): Promise<string> =>
      exchange(gateway.port, `${line}\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`);

    it('is 405 with Allow at a known path, in any letter case of the method', async () => {
      for (const path of [...PATHS, `${INITIALIZE}?a=b`]) {
        for (const method of ['FOO', 'post', 'POSTS', 'X-Y']) {
          expect(await ask(`${method} ${path} HTTP/1.1`), `${method} ${path}`).to.match(
            /^HTTP\/1.1 405 .*Connection: close.*no-store, private.*Allow: POST\r\n.*"validation_failed".*"method"/s,
          );
        }
      }
      for (const method of ['FOO', 'get']) {
        for (const path of ['/docs', '/creatives/x'])
          expect(await ask(`${method} ${path} HTTP/1.1`)).to.match(/^HTTP\/1.1 405 .*Allow: GET, HEAD\r\n/s);
      }
    });

    it('is 404 at an unknown path', async () => {
      for (const path of ['/', '/nowhere', `${INITIALIZE}/`, '*']) {
        expect(await ask(`FOO ${path} HTTP/1.1`)).to.match(/^HTTP\/1.1 404 .*"validation_failed".*"path"/s);
      }
    });

    it('is 400 when the line is not a request line', async () => {
      for (const line of ['FOO /docs HTTP/9', 'F{} /docs HTTP/1.1', 'FOO']) {
        expect(await ask(line)).to.match(/^HTTP\/1.1 400 .*no-store, private.*"validation_failed"/s);
      }
    });
  });

  it('answers are compressed when the client accepts it and they are large enough', async () => {
    const headers = { 'Accept-Encoding': 'gzip' };
    const fill = await to(ADS, validBody(ADS), headers);
    expect(fill.headers['content-encoding']).to.equal('gzip');
    expect(fill.headers.vary).to.match(/accept-encoding/i);
    expect((await to(ADS, validBody(ADS), { 'Accept-Encoding': 'br' })).headers['content-encoding']).to.equal(
      'br',
    );
    expect((await to(ADS, validBody(ADS))).headers).not.to.have.property('content-encoding');
    expect((await to(ADS, validBody(ADS), { 'Accept-Encoding': 'gzip;q=0' })).headers).not.to.have.property(
      'content-encoding',
    );
    expect((await to(INITIALIZE, {}, headers)).headers).not.to.have.property('content-encoding');
  });

  it('several fills over one kept connection have different ids', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => to(ADS, validBody(ADS), { 'Accept-Encoding': 'gzip' })),
    );
    const ids = answers.map(({ json }) => (json as { request_id: string }).request_id);
    expect(new Set(ids).size).to.equal(10);
  });
});
