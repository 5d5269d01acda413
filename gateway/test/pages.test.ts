import { expect } from 'chai';
import { description, validatorFor } from './documented.js';
import { openTestGateway, untilTrue, type TestGateway } from './gateway.js';
import { expectInvalid, send, VALID_BODIES } from './http.js';
import type { Body, Example, Schema } from '../src/domain/api-description.js';

describe('what can be read', () => {
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

  it('every example of the document is as its schema says', () => {
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

  it('/healthz says alive; /readyz names each component', async () => {
    expect(await send(gateway.url, { path: '/healthz' })).to.include({ status: 200 });
    await untilTrue(() => Object.values(gateway.scope.health.components()).every(({ ok }) => ok));
    const ready = await send(gateway.url, { path: '/readyz' });
    expect(ready.status).to.equal(200);
    expect(ready.json)
      .to.have.property('components')
      .that.includes.all.keys('redis', 'session-service', 'serving-service', 'events-service');
  });

  it('/readyz is 503 while the process stops', async () => {
    const process = gateway.scope.health.register('process');
    expect((await send(gateway.url, { path: '/readyz' })).status).to.equal(503);
    process.set(true);
    expect((await send(gateway.url, { path: '/readyz' })).status).to.equal(200);
  });

  it('metrics listen where METRICS_HOST says, not where HOST does', async () => {
    // An address for documentation: no machine has it.
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

function valueOf(example: Example): unknown {
  if (example.$ref === undefined) return example.value;
  return description.components.examples[example.$ref.split('/').pop() ?? '']?.value;
}
