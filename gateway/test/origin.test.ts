import { openTestRedis } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { openTestGateway, type TestGateway } from './gateway.js';
import { post, VALID_BODIES } from './http.js';

const ADS = '/v1/ads/request';
const FALLBACK = '/v1/events/fallback';
const US_ADDRESS = '8.8.8.8';

describe('the origin of a request', () => {
  const open: TestGateway[] = [];
  const start = async (env: Record<string, string> = {}): Promise<TestGateway> => {
    const gateway = await openTestGateway({ env });
    open.push(gateway);
    return gateway;
  };
  const receivedFor = async (
    gateway: TestGateway,
    headers: Record<string, string>,
    path: typeof ADS | typeof FALLBACK = ADS,
  ) => {
    await post(gateway.url, path, VALID_BODIES[path], headers);
    return gateway.peers.received.at(-1)?.request as { country?: string; publicBaseUrl: string };
  };

  before(async () => {
    const { redis } = await openTestRedis();
    redis.disconnect();
  });
  afterEach(async () => {
    for (const gateway of open.splice(0)) await gateway.close();
  });

  it('has the country of the address, even if it is IPv4-mapped', async () => {
    const gateway = await start();
    for (const address of [
      US_ADDRESS,
      `::ffff:${US_ADDRESS}`,
      '::ffff:808:808',
      `[::ffff:${US_ADDRESS}]:9`,
    ]) {
      expect((await receivedFor(gateway, { 'X-Forwarded-For': address })).country, address).to.equal('US');
    }
  });

  it('has no country when the address belongs to none', async () => {
    const gateway = await start();
    expect((await receivedFor(gateway, {})).country).to.equal(undefined);
    expect((await receivedFor(gateway, { 'X-Forwarded-For': 'unknown' })).country).to.equal(undefined);
  });

  it('has the country in the header of a trusted proxy, or of the database when that is invalid', async () => {
    const gateway = await start({ COUNTRY_HEADER: 'X-Country' });
    const country = async (value: string) =>
      (await receivedFor(gateway, { 'X-Forwarded-For': US_ADDRESS, 'X-Country': value })).country;
    expect(await country('de')).to.equal('DE');
    expect(await country('XX')).to.equal('US');
    expect(await country('')).to.equal('US');
    expect(await country('Germany')).to.equal('US');
  });

  it('is found for a fallback as for an ad request', async () => {
    const gateway = await start({ COUNTRY_HEADER: 'X-Country' });
    const country = async (headers: Record<string, string>) =>
      (await receivedFor(gateway, headers, FALLBACK)).country;
    expect(await country({ 'X-Forwarded-For': US_ADDRESS })).to.equal('US');
    expect(await country({ 'X-Forwarded-For': US_ADDRESS, 'X-Country': 'se' })).to.equal('SE');
    expect(await country({})).to.equal(undefined);
  });

  it('ignores the headers of an untrusted peer: address, country, host, scheme', async () => {
    const gateway = await start({ COUNTRY_HEADER: 'X-Country', TRUST_PROXY: '10.0.0.0/8' });
    const received = await receivedFor(gateway, {
      Host: 'ads.example.com',
      'X-Forwarded-For': US_ADDRESS,
      'X-Country': 'DE',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
    });
    expect(received.country).to.equal(undefined);
    expect(received.publicBaseUrl).to.equal('http://ads.example.com');
  });

  it('uses no country header without the setting', async () => {
    const gateway = await start();
    expect((await receivedFor(gateway, { 'CF-IPCountry': 'DE', 'X-Country': 'DE' })).country).to.equal(
      undefined,
    );
  });

  it('has the public address of the trusted proxy, or else of Host, or else of the connection', async () => {
    const gateway = await start();
    const base = async (headers: Record<string, string>) =>
      (await receivedFor(gateway, headers)).publicBaseUrl;
    expect(await base({ 'X-Forwarded-Host': 'ads.example.com', 'X-Forwarded-Proto': 'https' })).to.equal(
      'https://ads.example.com',
    );
    expect(await base({ Host: 'ads.example.com:8080' })).to.equal('http://ads.example.com:8080');
    for (const host of ['a/b', 'user@evil.example', 'a b', '"><script>', 'a:1:2']) {
      expect(await base({ Host: host })).to.equal(gateway.url);
      expect(await base({ Host: 'ok.example', 'X-Forwarded-Host': host })).to.equal('http://ok.example');
    }
  });

  it('may use another database, and a missing one stops the start with a sentence', async () => {
    let message = '';
    await openTestGateway({ env: { COUNTRY_DB: '/nowhere.mmdb' } }).catch((error: unknown) => {
      message = (error as Error).message;
    });
    expect(message).to.contain('COUNTRY_DB: must be the path of an MMDB file that can be read');
  });

  it('does not reach the services as an address', async () => {
    const gateway = await start();
    await receivedFor(gateway, { 'X-Forwarded-For': '203.0.113.77' });
    const text = JSON.stringify(gateway.peers.received, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.to.contain('203.0.113');
  });
});
