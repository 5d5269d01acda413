import { expect } from 'chai';
import { openTestGateway, type TestGateway } from './gateway.js';
import { post, send, validBody } from './http.js';

const PATH = '/v1/sdk/initialize';
const PAGE = 'https://app.example.com';
const PREFLIGHT = {
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type',
};

describe('web pages of allowed origins', () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await openTestGateway({ env: { CORS_ORIGINS: `${PAGE}, capacitor://localhost` } });
  });
  after(() => gateway.close());

  it('may call the SDK API, read its answers and see the time of the server', async () => {
    const preflight = await send(gateway.url, {
      method: 'OPTIONS',
      path: PATH,
      headers: { Origin: PAGE, ...PREFLIGHT },
    });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers).to.include({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '86400',
    });
    const answer = await post(gateway.url, PATH, validBody(PATH), { Origin: PAGE });
    expect(answer.status).to.equal(200);
    expect(answer.headers).to.include({
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': 'Date,Retry-After,X-Request-Id',
    });
    expect(answer.headers.vary).to.contain('Origin');
  });

  it('can read refusals too', async () => {
    const answer = await post(gateway.url, PATH, '{', { Origin: 'capacitor://localhost' });
    expect(answer.status).to.equal(422);
    expect(answer.headers).to.include({ 'access-control-allow-origin': 'capacitor://localhost' });
  });

  it('of another origin get an answer that their browser hides', async () => {
    const answer = await post(gateway.url, PATH, validBody(PATH), { Origin: 'https://evil.example.com' });
    expect(answer.status).to.equal(200);
    expect(answer.headers).to.not.have.property('access-control-allow-origin');
  });
});

describe('web pages without CORS_ORIGINS', () => {
  it('may call the SDK API when they come from the gateway itself, like /try: no header of CORS is needed', async () => {
    const gateway = await openTestGateway();
    try {
      const answer = await post(gateway.url, PATH, validBody(PATH), {
        Origin: new URL(gateway.url).origin,
        'Sec-Fetch-Site': 'same-origin',
      });
      expect(answer.status).to.equal(200);
      expect(answer.headers).to.not.have.property('access-control-allow-origin');
    } finally {
      await gateway.close();
    }
  });

  it('may not call the SDK API: a preflight is 405', async () => {
    const gateway = await openTestGateway();
    try {
      const headers = { Origin: PAGE, ...PREFLIGHT };
      const preflight = await send(gateway.url, { method: 'OPTIONS', path: PATH, headers });
      expect(preflight.status).to.equal(405);
      expect(preflight.headers).to.not.have.property('access-control-allow-origin');
    } finally {
      await gateway.close();
    }
  });
});
