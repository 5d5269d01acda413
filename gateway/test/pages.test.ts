import { expect } from 'chai';
import { connect } from 'node:net';
import path from 'node:path';
import { description, validatorFor } from './documented.js';
import { openTestGateway, untilTrue, type TestGateway } from './gateway.js';
import { expectInvalid, send, VALID_BODIES } from './http.js';
import type { Body, Example, Schema } from '../src/domain/api-description.js';

describe('the pages', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await openTestGateway();
  });
  after(() => gateway.close());

  it('GET /v1/openapi.json is the document, version 0.3.0 of OpenAPI 3.1', async () => {
    const answer = await send(gateway.url, { path: '/v1/openapi.json' });
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(answer.json).to.deep.equal(description);
    expect(answer.json).to.have.nested.property('info.version', '0.3.0');
    expect(answer.json)
      .to.have.property('openapi')
      .that.matches(/^3\.1\./);
    expect((await send(gateway.url, { method: 'HEAD', path: '/v1/openapi.json' })).status).to.equal(200);
  });

  for (const path of ['/v1/openapi.json', '/docs', '/healthz', '/readyz']) {
    it(`other methods of ${path} are 405 with Allow: GET, HEAD`, async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await send(gateway.url, { method, path });
        expectInvalid(answer, ['method'], 405);
        expect(answer.headers.allow).to.equal('GET, HEAD');
        expect(answer.headers['cache-control']).to.equal('no-store, private');
      }
    });
  }

  it('/docs is a page that loads nothing and names every endpoint, object and error code', async () => {
    const { status, headers, text } = await send(gateway.url, { path: '/docs' });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).not.to.match(/<script|<link|src=|@import|url\(/);
    for (const path of Object.keys(description.paths)) expect(text).to.contain(`/v1${path}`);
    for (const name of Object.keys(description.components.schemas)) expect(text).to.contain(`id="${name}"`);
    for (const code of ['invalid_app_key', 'rate_limited', 'suspicious', 'error.fields'])
      expect(text).to.contain(code);
    expect(text).not.to.contain('undefined').and.not.to.contain('[object');
  });

  it('every example of the document matches its schema', () => {
    const check = (where: string, given: Body): void => {
      const shared = { ...description.components.responses, ...description.components.requestBodies };
      const body = given.$ref === undefined ? given : shared[given.$ref.split('/').pop() ?? ''];
      const content = body?.content?.['application/json'];
      expect(content?.examples, where).not.to.equal(undefined);
      for (const [name, example] of Object.entries(content?.examples ?? {})) {
        const value = valueOf(example);
        expect(validatorFor(content?.schema as Schema)(value), `${where} ${name}`).to.equal(true);
      }
    };
    for (const [path, { post }] of Object.entries(description.paths)) {
      check(`${path} request`, post.requestBody);
      for (const [status, response] of Object.entries(post.responses)) check(`${path} ${status}`, response);
    }
  });

  it('/healthz answers alive, and /readyz names each component', async () => {
    expect(await send(gateway.url, { path: '/healthz' })).to.include({ status: 200 });
    await untilTrue(() => Object.values(gateway.scope.health.components()).every(({ ok }) => ok));
    const ready = await send(gateway.url, { path: '/readyz' });
    expect(ready.status).to.equal(200);
    expect(ready.json)
      .to.have.property('components')
      .that.includes.all.keys('redis', 'session-service', 'serving-service', 'events-service');
  });

  it('/readyz shows no reasons on the public port, and shows them on the port of the process', async () => {
    const lost = gateway.scope.health.register('part', { optional: true });
    lost.set(false, 'connect ECONNREFUSED 192.0.2.7:6379');
    const shown = await send(gateway.url, { path: '/readyz' });
    expect(shown.json).to.have.nested.property('components.part').that.deep.equals({ ok: false });
    const { components } = shown.json as { components: Record<string, object> };
    for (const component of Object.values(components)) expect(component).to.have.all.keys('ok');
    expect(shown.text).not.to.contain('192.0.2.7');
    const own = await send(`http://127.0.0.1:${gateway.metricsPort}`, { path: '/readyz' });
    expect(own.text).to.contain('connect ECONNREFUSED 192.0.2.7:6379');
    lost.set(true);
  });

  it('/readyz is 503 while the process stops', async () => {
    const component = gateway.scope.health.register('process');
    expect((await send(gateway.url, { path: '/readyz' })).status).to.equal(503);
    component.set(true);
    expect((await send(gateway.url, { path: '/readyz' })).status).to.equal(200);
  });

  it('metrics listen on METRICS_HOST and not on HOST', async () => {
    // An address for documentation, which no machine has.
    const fault: unknown = await openTestGateway({ env: { METRICS_HOST: '198.51.100.7' } }).then(
      (other) => other.close(),
      (error: unknown) => error,
    );
    expect(fault).to.be.instanceOf(Error).with.property('message').that.contains('198.51.100.7');
  });

  it('metrics count requests by route, status and outcome', async () => {
    const path = '/v1/sdk/initialize';
    const headers = { 'Content-Type': 'application/json' };
    await send(gateway.url, { method: 'POST', path, headers, body: JSON.stringify(VALID_BODIES[path]) });
    await send(gateway.url, { method: 'POST', path, headers, body: '{}' });
    await send(gateway.url, { path: '/some/secret/path' });
    const { text } = await send(`http://127.0.0.1:${gateway.metricsPort}`, { path: '/metrics' });
    expect(text).to.contain(
      `placard_http_request_seconds_count{route="${path}",status="200",outcome="session"} 1`,
    );
    expect(text).to.contain(`{route="${path}",status="422",outcome="validation_failed"} 1`);
    expect(text).to.contain('route="unknown",status="404"').and.not.to.contain('secret');
  });
});

const TYPES = { '.css': /^text\/css/, '.js': /^text\/javascript/, '.svg': /^image\/svg\+xml/ };

describe('the page /try', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await openTestGateway();
  });
  after(() => gateway.close());

  it('runs only scripts of this host, and is asked for again after each release', async () => {
    const { status, headers, text } = await send(gateway.url, { path: '/try' });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(headers['content-security-policy']).to.contain("script-src 'self'");
    expect(headers['cache-control']).to.equal('no-cache');
    expect(text).not.to.match(/<script>|<style| on\w+="| style="/);
  });

  it('has its icon, its style and every module of its script', async () => {
    const { text } = await send(gateway.url, { path: '/try' });
    const files = new Set([...text.matchAll(/(?:src|href)="(\/try\/[^"]+)"/g)].map(([, file]) => file ?? ''));
    for (const file of files) {
      const { status, headers, text: code } = await send(gateway.url, { path: file });
      expect(status, file).to.equal(200);
      expect(headers['content-type'], file).to.match(TYPES[path.extname(file) as keyof typeof TYPES]);
      for (const [, module = ''] of code.matchAll(/^(?:import|export)\b[^;]*?'(\.[^']+)'/gm))
        files.add(path.posix.join(path.posix.dirname(file), module));
    }
    expect([...files]).to.include.members([
      '/try/sdk/try/icon.svg',
      '/try/sdk/try/page.css',
      '/try/sdk/try/page.js',
      '/try/sdk/placard.js',
    ]);
  });

  it('is only read', async () => {
    const answer = await send(gateway.url, { method: 'POST', path: '/try' });
    expectInvalid(answer, ['method'], 405);
    expect(answer.headers.allow).to.equal('GET, HEAD');
  });
});

describe('a client that disconnects before its answer', () => {
  it('is counted with status 499 and not with the status of the answer', async () => {
    const gateway = await openTestGateway();
    const path = '/v1/sdk/initialize';
    const running: ((error: Error) => void)[] = [];
    gateway.peers.session.startSession = () => new Promise((_, reject) => running.push(reject));
    const body = JSON.stringify(VALID_BODIES[path]);
    const socket = connect(gateway.port, '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json`;
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    try {
      await untilTrue(() => running.length > 0);
      socket.destroy();
      const lines = async () => {
        const { text } = await send(`http://127.0.0.1:${gateway.metricsPort}`, { path: '/metrics' });
        return text.split('\n').filter((line) => line.startsWith('placard_http_request_seconds_count'));
      };
      await untilTrue(async () => (await lines()).length > 0);
      const labels = `{route="${path}",status="499",outcome="client_gone"}`;
      expect(await lines()).to.deep.equal([`placard_http_request_seconds_count${labels} 1`]);
    } finally {
      for (const end of running) end(new Error('too late'));
      await gateway.close();
    }
  });
});

function valueOf(example: Example): unknown {
  if (example.$ref === undefined) return example.value;
  return description.components.examples[example.$ref.split('/').pop() ?? '']?.value;
}
