import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError, readConfig } from '../process/config.js';
import { makeTestAuthority } from '../testing/certificates.js';
import { databaseOf, databaseShape, redisOf, redisShape, storesNeedTls } from './store-settings.js';

const PASSWORD = 'p4ssw0rd';
const DATABASE_URL = `postgres://u:${PASSWORD}@h:1/d`;
const REDIS_URL = 'redis-cluster://a:1,b:2';

const read = (given: NodeJS.ProcessEnv) =>
  readConfig({ ...databaseShape, ...redisShape }, { DATABASE_URL, REDIS_URL, ...given }, [storesNeedTls]);

/** The faults of settings, without their frame. */
function faultsOf(given: NodeJS.ProcessEnv): readonly string[] {
  try {
    read(given);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    expect((error as Error).message).to.not.contain(PASSWORD);
    return (error as ConfigError).faults;
  }
  return [];
}

describe('the settings of stores', () => {
  let dir: string;
  let caFile: string;
  before(async () => {
    dir = mkdtempSync(path.join(tmpdir(), 'placard-store-settings-'));
    caFile = path.join(dir, 'ca.crt');
    writeFileSync(caFile, (await makeTestAuthority()).ca);
  });
  after(() => rmSync(dir, { recursive: true }));

  it('accept an address only with the scheme of its store, a host and a possible port', () => {
    expect(faultsOf({})).to.deep.equal([]);
    expect(faultsOf({ DATABASE_URL: REDIS_URL, REDIS_URL: DATABASE_URL })).to.have.length(2);
    for (const [name, value] of [
      ['DATABASE_URL', 'postgres://u:p@h:99999/d'],
      ['DATABASE_URL', 'postgres:///d'],
      ['REDIS_URL', 'redis://'],
      ['REDIS_URL', 'redis://h:99999'],
      ['REDIS_URL', 'redis-cluster://'],
      ['REDIS_URL', 'redis-cluster://a'],
      ['REDIS_URL', 'redis-cluster://a:1,'],
      ['REDIS_URL', 'redis-cluster://a:1,b:99999'],
    ] as const) {
      expect(faultsOf({ [name]: value })).to.have.length(1);
      expect(faultsOf({ [name]: value })[0]).to.match(new RegExp(`^${name}: must be a URL[^;]*$`));
    }
  });

  it('give the address, the file of authorities and the name of each store', () => {
    const given = {
      DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full`,
      DATABASE_CA_FILE: caFile,
      DATABASE_SERVER_NAME: 'primary.internal',
      REDIS_URL: 'rediss-cluster://u:p@a:1,b:2',
      REDIS_CA_FILE: caFile,
      REDIS_SERVER_NAME: 'redis.internal',
    };
    expect(databaseOf(read(given))).to.deep.equal({
      url: given.DATABASE_URL,
      caFile,
      serverName: 'primary.internal',
    });
    expect(redisOf(read(given))).to.deep.equal({
      url: given.REDIS_URL,
      caFile,
      serverName: 'redis.internal',
    });
  });

  it('refuse a mode of TLS in which a server need not prove its name', () => {
    for (const mode of ['prefer', 'require', 'verify-ca', 'no-verify', 'Verify-Full', ''])
      expect(faultsOf({ DATABASE_URL: `${DATABASE_URL}?sslmode=${mode}` }), mode).to.deep.equal([
        'DATABASE_URL: must have sslmode=verify-full (TLS, and the server proves its name), sslmode=disable or no sslmode',
      ]);
    expect(faultsOf({ DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full&sslmode=disable` })).to.have.length(
      1,
    );
    for (const mode of ['verify-full', 'disable'])
      expect(faultsOf({ DATABASE_URL: `${DATABASE_URL}?sslmode=${mode}&application_name=x` })).to.deep.equal(
        [],
      );
  });

  it('refuse options of TLS in the URL of the database that have a setting of their own', () => {
    for (const option of ['ssl=no-verify', 'sslrootcert=/ca.crt', 'uselibpqcompat=true'])
      expect(faultsOf({ DATABASE_URL: `${DATABASE_URL}?${option}` })[0], option).to.match(
        /^DATABASE_URL: must not have .*DATABASE_CA_FILE names the authorities$/,
      );
  });

  it('refuse a file of authorities or a server name where the URL asks for no TLS', () => {
    expect(faultsOf({ DATABASE_CA_FILE: caFile, REDIS_SERVER_NAME: 'redis.internal' })).to.deep.equal([
      'DATABASE_CA_FILE: needs TLS; end DATABASE_URL with ?sslmode=verify-full',
      'REDIS_SERVER_NAME: needs TLS; begin REDIS_URL with rediss:// or rediss-cluster://',
    ]);
  });

  it('refuse plain stores on another machine when TLS is required, and name each', () => {
    const required = { REQUIRE_TLS: '1' };
    const database =
      'DATABASE_URL: reaches another machine without TLS, and REQUIRE_TLS is 1; end DATABASE_URL with ?sslmode=verify-full';
    const redis =
      'REDIS_URL: reaches another machine without TLS, and REQUIRE_TLS is 1; begin REDIS_URL with rediss:// or rediss-cluster://';
    expect(faultsOf(required)).to.deep.equal([database, redis]);
    const local = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', REDIS_URL: 'redis://[::1]:1' };
    const secured = { DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full`, REDIS_URL: 'rediss://h' };
    for (const urls of [local, secured, { ...local, DATABASE_URL: 'postgres://u@x/d?host=/run/postgresql' }])
      expect(faultsOf({ ...required, ...urls })).to.deep.equal([]);
    for (const url of ['postgres://u:p@127.0.0.1:1/d?host=h', 'postgres://u:p@h/d?sslmode=disable'])
      expect(faultsOf({ ...required, ...local, DATABASE_URL: url }), url).to.deep.equal([database]);
    expect(faultsOf({ ...required, ...local, REDIS_URL: 'redis-cluster://localhost:1,b:2' })).to.deep.equal([
      redis,
    ]);
  });

  it('refuse a file of authorities that is missing or holds no certificate, and name it', () => {
    const empty = path.join(dir, 'empty.crt');
    writeFileSync(empty, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    const missing = path.join(dir, 'missing.crt');
    const urls = { DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full`, REDIS_URL: 'rediss://h' };
    for (const file of [empty, missing])
      for (const name of ['DATABASE_CA_FILE', 'REDIS_CA_FILE']) {
        const [fault = '', ...others] = faultsOf({ ...urls, [name]: file });
        expect(fault).to.contain(`${name}: ${file} is no PEM file with certificates of authorities: `);
        expect(others).to.deep.equal([]);
      }
  });

  it('refuse a server name that no certificate check can use', () => {
    for (const name of ['10.0.0.1', '::1', 'redis:6380', 'https://redis'])
      expect(faultsOf({ REDIS_URL: 'rediss://h', REDIS_SERVER_NAME: name })[0], name).to.match(
        /^REDIS_SERVER_NAME: must be the host name/,
      );
  });
});
