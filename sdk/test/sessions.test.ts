import { expect } from 'chai';
import { PlacardError, type Placard } from '../src/index.js';
import { Device } from './device.js';
import { placardOn, placement, Server } from './server.js';

const MINUTE_MS = 60_000;

const refusal = (work: Promise<unknown>): Promise<unknown> => work.catch((thrown: unknown) => thrown);

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

  it('lives on when only its configuration is older than its time, so that caps count on', async () => {
    await load();
    server.placements = [placement({ partner_ad_unit_id: 'unit_2' })];
    for (let asked = 0; asked < 3; asked += 1) {
      await device.pass(16 * MINUTE_MS);
      await load();
      await device.pass(0);
    }
    expect(device.requests('/sdk/initialize')).to.have.length(4);
    expect(placard.session?.placements[0]?.partner_ad_unit_id).to.equal('unit_2');
    expect(new Set(tokens())).to.deep.equal(new Set(['session-1']));
    await device.pass(8 * MINUTE_MS);
    await load();
    await device.pass(0);
    await load();
    expect(tokens().at(-1)).to.equal('session-5');
  });

  it('that the server refuses is replaced also when its configuration is new', async () => {
    await load();
    server.on('/ads/request', ({ body }) =>
      body['session_token'] === 'session-1'
        ? { status: 401, body: { error: { code: 'invalid_session', message: 'no' } } }
        : null,
    );
    await device.pass(16 * MINUTE_MS);
    expect((await load()).noAd).to.equal(null);
    expect(tokens().at(-1)).to.equal('session-3');
  });

  it('is not asked for again before the wait of Retry-After is over, in seconds or as a date', async () => {
    const until = new Date(device.nowMs + MINUTE_MS).toUTCString();
    for (const retryAfter of [60, until]) {
      const other = placardOn(device);
      device.received.length = 0;
      server.on('/sdk/initialize', () => ({
        status: 429,
        body: { error: { code: 'rate_limited', message: 'slow down' } },
        retryAfter,
      }));
      for (let asked = 0; asked < 10; asked += 1) {
        const { noAd } = await other.fullscreen('end').load();
        expect(noAd?.error).to.deep.include({ code: 'rate_limited', retryAfterMs: 60_000 - asked * 100 });
        await device.pass(100);
      }
      expect(device.requests('/sdk/initialize')).to.have.length(1);
      server.on('/sdk/initialize', () => null);
      if (retryAfter === 60) await device.pass(59_000);
      expect((await other.fullscreen('end').load()).noAd === null).to.equal(retryAfter === 60);
      other.close();
      device.nowMs -= 60_000;
    }
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
    for (const body of ['<html>Log in</html>', { hello: 'world' }, { session_token: 'x' }, null]) {
      server.on('/sdk/initialize', () => ({ status: 200, body }));
      const error: unknown = await placard.start().catch((thrown: unknown) => thrown);
      expect(error).to.deep.include({ code: 'bad_answer', isRetryable: true });
    }
    server.on('/sdk/initialize', () => null);
    server.on('/ads/request', () => ({ status: 200, body: { status: 'ok' } }));
    expect((await load()).noAd?.error).to.deep.include({ code: 'bad_answer', isRetryable: true });
  });

  it('starts although the callback of the app for calls throws', async () => {
    const thrown: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
    try {
      const other = placardOn(device, {
        onCall: () => {
          throw new Error('of the app');
        },
      });
      expect((await other.start()).token).to.equal('session-1');
      await device.pass(0);
      other.close();
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const other of others) process.on('uncaughtException', other);
    }
    expect(thrown.map(String)).to.deep.equal(['Error: of the app']);
  });

  it('is not started by a closed client, which leaves no timer and no listener', async () => {
    const starting = refusal(placard.start());
    placard.close();
    expect(await starting).to.deep.include({ code: 'wrong_state', isRetryable: false });
    const calls = device.received.length;
    expect(await refusal(placard.start())).to.deep.include({ code: 'wrong_state' });
    expect(device.received).to.have.length(calls);
    expect(device.held).to.equal(0);
  });

  it('that comes after the client was closed in its first load leaves no listener', async () => {
    const loading = refusal(load());
    placard.close();
    await loading;
    await device.pass(0);
    expect(device.held).to.equal(0);
    expect(placard.session).to.equal(null);
  });
});
