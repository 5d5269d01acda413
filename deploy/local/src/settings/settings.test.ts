import path from 'node:path';
import { expect } from 'chai';
import type { DataFolder } from '../data-folder.js';
import { builtLayout, rootDir, type Layout } from '../layout.js';
import { settingsFaults } from '../process/settings-faults.js';
import { checksOf, plannedStores } from './settings.js';
import { portNames, services, type Instance, type Ports } from '../services.js';

const folder: DataFolder = { dir: '/data', at: (...names) => ['/data', ...names].join('/') };
const ports = Object.fromEntries(portNames.map((name, index) => [name, 20_000 + index])) as Ports;
/** The source modules: a unit test must not depend on a build. */
const layout: Layout = {
  ...builtLayout,
  modulePath: (place, name) => path.join(rootDir, place, 'src', `${name}.ts`),
};
const keys = `k1:${Buffer.alloc(32).toString('base64url')}`;

function instanceWith(env: NodeJS.ProcessEnv): Instance {
  return {
    folder,
    layout,
    cacheDir: '/cache',
    ports,
    moreReplicas: [],
    replicated: [],
    routes: {},
    gatewayPort: 8_080,
    gatewayHost: '0.0.0.0',
    ...plannedStores({ ports, redisCluster: null }, env),
    secrets: {
      sessionTokenKeys: keys,
      impressionTokenKeys: keys,
      networkHashKey: 'a key of sixteen or more',
      postgresPassword: 'p',
    },
    certificatesDir: null,
    hasCallKeys: true,
    operatorKey: { file: '/data/keys/operator', text: `plk_${'1'.repeat(16)}_${'2'.repeat(64)}` },
    keyRings: { SESSION_TOKEN_KEYS: keys, IMPRESSION_TOKEN_KEYS: keys },
    env,
  };
}

function faultsWith(env: NodeJS.ProcessEnv): Promise<string | null> {
  return settingsFaults(checksOf(instanceWith(env)), env);
}

describe('the check of all settings before a start', () => {
  it('covers every process, and finds no fault when nothing is set', async () => {
    const checked = checksOf(instanceWith({})).map((check) => check.process);
    expect(checked).to.deep.equal(['every process', ...services.map(({ name }) => name)]);
    expect(await faultsWith({})).to.equal(null);
  });

  it('names all faults of all processes, and a common fault once', async () => {
    const text = await faultsWith({
      TRUST_PROXY: 'bogus',
      COUNTRY_DB: '/nope',
      AD_TTL_SECONDS: '0',
      OPEN_FILLS_MAX: '-1',
      SETTLEMENT_ROWS_MAX: 'x',
      SESSION_TTL_SECONDS: 'an hour',
      DRAIN_SECONDS: '-1',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
    });
    const lines = text?.split('\n') ?? [];
    expect(lines[0]).to.equal('Wrong settings:');
    expect(lines.at(-1)).to.equal('Correct them and start again.');
    const found = lines.slice(1, -1).map((line) => /^ {2}([A-Z_]+): .* \(([^()]*)\)$/.exec(line)?.slice(1));
    expect(found).to.have.deep.members([
      ['DRAIN_SECONDS', 'every process'],
      ['LOG_LEVEL', 'every process'],
      ['DATABASE_URL', 'console-service, fraud-service, events-service, settlement-worker'],
      ['AD_TTL_SECONDS', 'fraud-service, serving-service'],
      ['SESSION_TTL_SECONDS', 'session-service'],
      ['SETTLEMENT_ROWS_MAX', 'settlement-worker'],
      ['OPEN_FILLS_MAX', 'serving-service'],
      ['TRUST_PROXY', 'gateway'],
      ['COUNTRY_DB', 'gateway'],
    ]);
  });

  it('uses the secrets and stores of the data folder, unless the operator names others', async () => {
    const text = await faultsWith({ SESSION_TOKEN_KEYS: 'short', DATABASE_URL: '', REDIS_URL: '' });
    expect(text).to.match(/SESSION_TOKEN_KEYS.*\(session-service, events-service, serving-service\)/);
    expect(text).not.to.match(/IMPRESSION_TOKEN_KEYS|_URL/);
  });

  it('fails when a reader is missing', async () => {
    const checks = checksOf(instanceWith({})).map((check) => ({ ...check, reader: 'readNothing' }));
    const fault: unknown = await settingsFaults(checks, {}).catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(Error).with.property('message').that.contains('readNothing');
  });
});
