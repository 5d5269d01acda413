import { expect } from 'chai';
import { PlacardError, type Placard } from '../src/index.js';
import { Device } from './device.js';
import { placardOn, Server } from './server.js';

const MINUTE_MS = 60_000;

describe('the session of the SDK', () => {
  let device: Device;
  let server: Server;
  let placard: Placard;

  beforeEach(() => {
    device = new Device();
    server = new Server(device);
    placard = placardOn(device, { appVersion: '3.2', testMode: true });
  });
  afterEach(() => placard.close());

  const load = () => placard.fullscreen('end').load();
  const tokens = () => device.requests('/ads/request').map(({ body }) => body['session_token']);

  it('is refused at once with a base URL that is none, or does not end in the version', () => {
    for (const baseUrl of ['nonsense', 'ads.example.com/v1', 'https://ads.example.com', 'https:///v1']) {
      let error: unknown = null;
      try {
        placardOn(device, { baseUrl });
      } catch (thrown) {
        error = thrown;
      }
      expect(error, baseUrl).to.deep.include({ code: 'validation_failed', isRetryable: false });
      expect(String(error)).to.contain('ends in /v1');
    }
    expect(() => placardOn(device, { baseUrl: 'http://localhost:8080/ads/v1/' }).close()).to.not.throw();
  });

  it('is started once by ads that are loaded together', async () => {
    await Promise.all([load(), load(), placard.start()]);
    expect(device.requests('/sdk/initialize').map(({ body }) => body)).to.deep.equal([
      {
        app_key: 'app_000000000000000000000001',
        package_name: 'com.example.game',
        sdk_version: '0.1.0',
        app_version: '3.2',
        platform: 'android',
        os_version: null,
        test_mode: true,
      },
    ]);
  });

  it('is renewed in the background before it expires, and no request waits for it', async () => {
    await load();
    await device.pass(55 * MINUTE_MS);
    server.on('/sdk/initialize', () => 'silent');
    await load();
    expect(tokens()).to.deep.equal(['session-1', 'session-1']);
    server.on('/sdk/initialize', () => null);
    await device.pass(MINUTE_MS);
    await load();
    await device.pass(0);
    await load();
    expect(tokens().slice(2)).to.deep.equal(['session-1', 'session-2']);
  });

  it('that expired while the phone slept is replaced before the next request', async () => {
    await load();
    device.nowMs += 61 * MINUTE_MS;
    await load();
    expect(tokens()).to.deep.equal(['session-1', 'session-2']);
  });

  it('that the server refuses is replaced once, and the request is sent once more', async () => {
    server.on('/ads/request', ({ body }) =>
      body['session_token'] === 'session-1'
        ? { status: 401, body: { error: { code: 'session_expired', message: 'expired' } } }
        : null,
    );
    expect((await load()).loaded?.requestId).to.equal('req_1');
    expect(tokens()).to.deep.equal(['session-1', 'session-2']);
    server.on('/ads/request', () => ({
      status: 401,
      body: { error: { code: 'invalid_session', message: 'no' } },
    }));
    expect((await load()).noAd?.error?.code).to.equal('invalid_session');
    expect(tokens()).to.have.length(4);
  });

  it('brings a new configuration when the old one is older than its time', async () => {
    await load();
    await device.pass(16 * MINUTE_MS);
    await load();
    await device.pass(0);
    expect(server.sessions).to.equal(2);
  });

  it('obeys kill switches without a request, and asks about them at most every 5 minutes', async () => {
    server.isServing = false;
    expect((await load()).noAd).to.deep.include({ reason: 'disabled', partnerAdUnitId: 'unit_1' });
    await device.pass(4 * MINUTE_MS);
    await load();
    expect([server.sessions, server.ads]).to.deep.equal([1, 0]);
    server.isServing = true;
    await device.pass(2 * MINUTE_MS);
    expect((await load()).noAd).to.equal(null);
    expect(server.sessions).to.equal(2);
    expect(device.requests('/events/fallback')[0]!.body).to.deep.include({
      reason: 'no_fill',
      placement: 'end',
    });
  });

  it('says with a typed error what the server refused', async () => {
    server.on('/sdk/initialize', () => ({
      status: 403,
      body: { error: { code: 'package_mismatch', message: 'Another package is registered.' } },
    }));
    const error: unknown = await placard.start().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(PlacardError);
    expect(error).to.deep.include({ code: 'package_mismatch', isRetryable: false });
  });

  it('takes no answer of a network that wants a login as one of Placard', async () => {
    for (const body of ['<html>Log in</html>', { hello: 'world' }]) {
      server.on('/sdk/initialize', () => ({ status: 200, body }));
      const error: unknown = await placard.start().catch((thrown: unknown) => thrown);
      expect(error).to.deep.include({ code: 'bad_answer', isRetryable: true });
    }
  });
});
