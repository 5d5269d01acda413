import { ConfigError } from '@placard/service-kit';
import { expect } from 'chai';
import { readGatewayConfig } from './config.js';

const NEEDED = { REDIS_URL: 'redis://127.0.0.1:6379', NETWORK_HASH_KEY: 'sixteen characters' };

describe('the gateway’s settings', () => {
  it('have defaults, including the rate limits of the contract', () => {
    const config = readGatewayConfig(NEEDED);
    expect(config.PORT).to.equal(8_080);
    expect(config.RATE_LIMITS).to.deep.equal({
      'sdk.initialize': { network: 600, app_key: 3_000 },
      'ads.request': { session: 120, network: 6_000, app_key: 20_000 },
      events: { network: 12_000, request_id: 20 },
      'events.fallback': { session: 120, network: 12_000 },
      creatives: { network: 6_000 },
      manage: { network: 6_000 },
      login: { network: 30 },
    });
    expect(config.TRUST_PROXY('127.0.0.1', 0)).to.equal(true);
    expect(config.TRUST_PROXY('192.0.2.1', 0)).to.equal(false);
  });

  it('accept a partial RATE_LIMITS: a missing limit keeps its default, and 0 disables one', () => {
    const { RATE_LIMITS } = readGatewayConfig({
      ...NEEDED,
      RATE_LIMITS: '{"ads.request":{"session":5},"events":{"request_id":0}}',
    });
    expect(RATE_LIMITS['ads.request']).to.deep.equal({ session: 5, network: 6_000, app_key: 20_000 });
    expect(RATE_LIMITS.events).to.deep.equal({ network: 12_000, request_id: 0 });
  });

  it('accept every value of Express for TRUST_PROXY', () => {
    const trust = (value: string) => readGatewayConfig({ ...NEEDED, TRUST_PROXY: value }).TRUST_PROXY;
    expect(trust('true')('192.0.2.1', 5)).to.equal(true);
    expect(trust('false')('127.0.0.1', 0)).to.equal(false);
    expect(trust('2')('192.0.2.1', 1)).to.equal(true);
    expect(trust('2')('192.0.2.1', 2)).to.equal(false);
    expect(trust('loopback, 192.0.2.0/24')('192.0.2.9', 0)).to.equal(true);
  });

  it('are refused with all faults at once', () => {
    const wrong = {
      PORT: '99999',
      TRUST_PROXY: 'everyone',
      RATE_LIMITS: '{"ads.request":{"sesion":5}}',
      COUNTRY_HEADER: 'a b',
      COUNTRY_DB: '/nowhere/country.mmdb',
      NETWORK_HASH_KEY: 'short',
      SESSION_SERVICE_ADDRESS: 'nowhere',
    };
    expect(() => readGatewayConfig(wrong))
      .to.throw(ConfigError)
      .with.property('message')
      .that.matches(
        /PORT.*REDIS_URL.*SESSION_SERVICE_ADDRESS.*TRUST_PROXY.*COUNTRY_HEADER.*COUNTRY_DB.*RATE_LIMITS.*NETWORK_HASH_KEY/,
      );
  });

  it('refuse an origin in CORS_ORIGINS that no browser sends, and say what to write', () => {
    expect(() => readGatewayConfig({ ...NEEDED, CORS_ORIGINS: 'https://App.example.com:443' })).to.throw(
      ConfigError,
      'CORS_ORIGINS: must be origins as browsers send them; write https://app.example.com',
    );
  });

  it('require NETWORK_HASH_KEY, because all gateways must count a network in one bucket', () => {
    expect(() => readGatewayConfig({ REDIS_URL: NEEDED.REDIS_URL })).to.throw(
      ConfigError,
      'NETWORK_HASH_KEY: is not set; must have at least 16 characters',
    );
  });

  const endpoints = 'sdk.initialize, ads.request, events, events.fallback, creatives, manage, login';
  const anyEndpoint = `RATE_LIMITS: must be a JSON object, with any endpoint of ${endpoints}`;
  const wholeNumber = 'RATE_LIMITS.ads.request.session: must be a whole number from 0 to 1000000000';
  for (const [value, fault] of [
    ['{', 'RATE_LIMITS: must be JSON'],
    ['[]', anyEndpoint],
    ['null', anyEndpoint],
    ['{"ads.request":{"session":-1}}', wholeNumber],
    ['{"ads.request":{"session":1.5}}', wholeNumber],
    ['{"ads.request":{"session":1e10}}', wholeNumber],
    ['{"ads.request":{"session":"5"}}', wholeNumber],
    ['{"events":5}', 'RATE_LIMITS.events: must be a JSON object, with any limit of network, request_id'],
    ['{"events":{"nope":5}}', 'RATE_LIMITS.events: has no limit named nope; choose from network, request_id'],
    ['{"other":{}}', `RATE_LIMITS: has no endpoint named other; choose from ${endpoints}`],
  ] as const) {
    it(`are refused with the allowed values for RATE_LIMITS=${value}`, () => {
      expect(() => readGatewayConfig({ ...NEEDED, RATE_LIMITS: value }))
        .to.throw(ConfigError)
        .with.property('faults')
        .that.deep.equals([fault]);
    });
  }
});
