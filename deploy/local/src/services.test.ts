import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { DataFolder } from './data-folder.js';
import { builtLayout, NODE_ARGS } from './layout.js';
import { takeDatabaseUrls } from './process/migration-urls.js';
import { secretNames } from './process/secret-settings.js';
import { environmentOf, keyRingFilesOf } from './environment.js';
import { migrationSpec, serviceSpec } from './process-specs.js';
import {
  gatewayPortsOf,
  portNames,
  services,
  stopOrder,
  type Instance,
  type Ports,
  type ServiceName,
} from './services.js';

const folder: DataFolder = { dir: '/data', at: (...names) => ['/data', ...names].join('/') };
const ports = Object.fromEntries(portNames.map((name, index) => [name, 20_000 + index])) as Ports;
const instance: Instance = {
  folder,
  layout: builtLayout,
  cacheDir: '/cache',
  ports,
  moreReplicas: [],
  replicated: [],
  routes: {},
  gatewayPort: 8080,
  gatewayHost: '0.0.0.0',
  databaseUrls: {
    'events-service': 'postgres://placard_events@db',
    'fraud-service': 'postgres://placard_fraud@db',
    'console-service': 'postgres://placard_console@db',
  },
  redisUrl: 'redis://r',
  secrets: {
    sessionTokenKeys: 's:1',
    impressionTokenKeys: 'i:1',
    networkHashKey: 'n',
    postgresPassword: 'p',
  },
  certificatesDir: null,
  hasCallKeys: true,
  operatorKey: { file: '/data/keys/operator', text: 'plk_1' },
  keyRings: {
    SESSION_TOKEN_KEYS: 'file:/data/keys/session',
    IMPRESSION_TOKEN_KEYS: 'file:/data/keys/impression',
  },
  env: {
    PORT: '9',
    GRPC_PORT: '9',
    HOST: '1.2.3.4',
    AD_TTL_SECONDS: '5',
    npm_config_x: 'y',
    SESSION_TOKEN_KEYS: '',
  },
};

describe('the environment of the processes', () => {
  it('gives every process its own ports and none of the operator’s', () => {
    const own = services.map(({ name }) => environmentOf(instance, name));
    const used = own.flatMap((env) => [env['GRPC_PORT'], env['METRICS_PORT'], env['HTTP_PORT'], env['PORT']]);
    const set = used.filter((port) => port !== undefined);
    expect(new Set(set).size).to.equal(set.length);
    expect(set).not.to.include('9');
  });

  it('lets only the gateway listen beyond this machine, except for its metrics', () => {
    const exposed = { ...instance, env: { METRICS_HOST: '0.0.0.0' } };
    for (const { name } of services) {
      const { HOST, METRICS_HOST } = environmentOf(exposed, name);
      expect(HOST).to.equal(name === 'gateway' ? '0.0.0.0' : '127.0.0.1');
      if (name === 'gateway') expect(METRICS_HOST).to.equal('127.0.0.1');
    }
  });

  it('passes the operator’s settings on, and no variables of npm', () => {
    const env = environmentOf(instance, 'serving-service');
    expect(env['AD_TTL_SECONDS']).to.equal('5');
    expect(env).not.to.have.property('npm_config_x');
  });

  it('uses the secrets of the data folder unless the operator names others', () => {
    expect(environmentOf(instance, 'session-service')['SESSION_TOKEN_KEYS']).to.equal(
      'file:/data/keys/session',
    );
    expect(keyRingFilesOf(instance)).to.deep.equal(['/data/keys/session', '/data/keys/impression']);
    const named = { ...instance, env: { SESSION_TOKEN_KEYS: 'mine:1' } };
    expect(environmentOf(named, 'session-service')['SESSION_TOKEN_KEYS']).to.equal('mine:1');
    expect(keyRingFilesOf(named)).to.deep.equal(['/data/keys/impression']);
  });

  it('gives a process its owner’s database role and no secrets of other processes, whatever the operator set', () => {
    const named = { SESSION_TOKEN_KEYS: 's:2', IMPRESSION_TOKEN_KEYS: 'i:2', NETWORK_HASH_KEY: 'h' };
    const env = { ...named, DATABASE_URL: 'postgres://root@db', REDIS_URL: 'redis://:root@r' };
    for (const { name, secrets } of services) {
      const given = environmentOf({ ...instance, env }, name);
      expect(secretNames.filter((secret) => given[secret] !== undefined)).to.have.members([...secrets]);
    }
    const urlOf = (name: ServiceName) => environmentOf(instance, name)['DATABASE_URL'];
    expect(urlOf('events-service')).to.equal('postgres://placard_events@db');
    expect(urlOf('settlement-worker')).to.equal('postgres://placard_events@db');
    expect(urlOf('fraud-service')).to.equal('postgres://placard_fraud@db');
    expect(urlOf('console-service')).to.equal('postgres://placard_console@db');
    expect(urlOf('gateway')).to.equal(undefined);
  });

  it('runs each migration with its owner’s role and no other secret', () => {
    const env = migrationSpec({ ...instance, env: { NETWORK_HASH_KEY: 'h', DATABASE_URL: 'x' } }).env;
    expect(secretNames.filter((secret) => env[secret] !== undefined)).to.deep.equal([]);
    expect(takeDatabaseUrls(env)).to.deep.equal([
      'postgres://placard_events@db',
      'postgres://placard_fraud@db',
      'postgres://placard_console@db',
    ]);
    expect(takeDatabaseUrls(env)).to.deep.equal([]);
  });

  it('points every process at its peers', () => {
    const env = environmentOf(instance, 'gateway');
    expect(env['SERVING_SERVICE_ADDRESS']).to.equal(`127.0.0.1:${ports['serving-service.grpc']}`);
    expect(env['CONSOLE_HTTP_URL']).to.equal(`http://127.0.0.1:${ports['console-service.http']}`);
    expect(env['MANAGE_URL']).to.equal(`http://127.0.0.1:${ports['console-service.manage']}`);
  });

  it('lets the page /try name a country, in the header that the operator names, else in x-country', () => {
    const headerOf = (env: NodeJS.ProcessEnv) =>
      environmentOf({ ...instance, env }, 'gateway')['COUNTRY_HEADER'];
    expect([headerOf({}), headerOf({ COUNTRY_HEADER: 'cf-country' })]).to.deep.equal([
      'x-country',
      'cf-country',
    ]);
  });

  it('gives console-service the operator’s own key, else that of the data folder', () => {
    const keyOf = (env: NodeJS.ProcessEnv) =>
      environmentOf({ ...instance, env }, 'console-service')['BOOTSTRAP_KEY'];
    expect([keyOf({}), keyOf({ BOOTSTRAP_KEY: 'plk_2' })]).to.deep.equal(['plk_1', 'plk_2']);
  });
});

describe('Node.js', () => {
  it('has the Node.js arguments of the images', () => {
    const dockerfile = readFileSync(new URL('../../images/Dockerfile', import.meta.url), 'utf8');
    const entry = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
    expect(JSON.parse(entry)).to.deep.equal(['node', ...NODE_ARGS]);
    const { args } = serviceSpec(instance, services[0]);
    expect(args.slice(0, NODE_ARGS.length)).to.deep.equal(NODE_ARGS);
  });
});

describe('a process with certificates', () => {
  const env = { TLS_CERT_FILE: '/operator.crt', REQUIRE_TLS: '1' };
  const withTls = { ...instance, certificatesDir: '/certificates', env };

  it('has those of its service and refuses to run without them', () => {
    expect(environmentOf(withTls, 'settlement-worker')).to.include({
      TLS_CERT_FILE: '/certificates/events-service/tls.crt',
      TLS_KEY_FILE: '/certificates/events-service/tls.key',
      TLS_CA_FILE: '/certificates/events-service/ca.crt',
      REQUIRE_TLS: '1',
    });
  });

  it('has none, and does not require them, in an instance without them, whatever the environment says', () => {
    const plain = environmentOf({ ...withTls, certificatesDir: null }, 'gateway');
    expect(plain).not.to.have.any.keys('TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CA_FILE', 'REQUIRE_TLS');
  });

  it('finds the port for writing of another service beside its usual port', () => {
    const env = environmentOf(withTls, 'console-service');
    expect(env['EVENTS_SERVICE_WRITE_ADDRESS']).to.equal(`127.0.0.1:${ports['events-service.write-grpc']}`);
  });
});

describe('a process with other routes', () => {
  const routes = { gateway: { 'serving-service.grpc': 40_001, redis: 40_002 } } as const;
  const routed = { ...instance, routes, redisUrl: 'redis://:secret@127.0.0.1:6379/3' };

  it('uses them for the named peers, connects to others directly, and listens on its usual ports', () => {
    const env = environmentOf(routed, 'gateway');
    expect(env['SERVING_SERVICE_ADDRESS']).to.equal('127.0.0.1:40001');
    expect(env['REDIS_URL']).to.equal('redis://:secret@127.0.0.1:40002/3');
    expect(env['DATABASE_URL']).to.equal(undefined);
    expect(env['EVENTS_SERVICE_ADDRESS']).to.equal(`127.0.0.1:${ports['events-service.grpc']}`);
    expect(environmentOf(routed, 'serving-service')['GRPC_PORT']).to.equal(
      String(ports['serving-service.grpc']),
    );
  });
});

describe('several replicas of every process', () => {
  const base = portNames.length + 20_000;
  const more = Object.fromEntries(portNames.map((name, index) => [name, base + index])) as Ports;
  const twice: Instance = {
    ...instance,
    moreReplicas: [{ ...more, 'gateway.http': 8_081 }],
    replicated: services.map(({ name }) => name),
  };

  it('have ports and a catalog file of their own', () => {
    for (const { name } of services) {
      const [first, second] = [environmentOf(twice, name, 1), environmentOf(twice, name, 2)];
      expect(second['METRICS_PORT']).to.equal(String(more[`${name}.metrics`]));
      for (const key of ['METRICS_PORT', 'GRPC_PORT', 'HTTP_PORT', 'PORT', 'CATALOG_CACHE_FILE']) {
        if (first[key] !== undefined) expect(second[key], `${key} of ${name}`).not.to.equal(first[key]);
      }
    }
    expect(gatewayPortsOf(twice)).to.deep.equal([8_080, 8_081]);
  });

  it('are all in the address for every process that calls them', () => {
    const env = environmentOf(twice, 'gateway', 2);
    const [one, two] = [ports['serving-service.grpc'], more['serving-service.grpc']];
    expect(env['SERVING_SERVICE_ADDRESS']).to.equal(`ipv4:127.0.0.1:${one},127.0.0.1:${two}`);
  });

  it('are in the address of each service that has several', () => {
    const some: Instance = { ...twice, replicated: ['serving-service'] };
    const env = environmentOf(some, 'gateway');
    expect(env['SERVING_SERVICE_ADDRESS']).to.equal(
      `ipv4:127.0.0.1:${ports['serving-service.grpc']},127.0.0.1:${more['serving-service.grpc']}`,
    );
    expect(env['EVENTS_SERVICE_ADDRESS']).to.equal(`127.0.0.1:${ports['events-service.grpc']}`);
    expect(gatewayPortsOf(some)).to.deep.equal([8_080]);
  });

  it('connect to all replicas of a service by routes, each by its own routes if it has some', () => {
    const routes = {
      'serving-service': { 'events-service.grpc': [40_001, 40_002] },
      'serving-service-2': { 'events-service.grpc': [40_003, 40_004] },
    } as const;
    const [first, second] = [1, 2].map((replica) =>
      environmentOf({ ...twice, routes }, 'serving-service', replica),
    );
    expect(first?.['EVENTS_SERVICE_ADDRESS']).to.equal('ipv4:127.0.0.1:40001,127.0.0.1:40002');
    expect(second?.['EVENTS_SERVICE_ADDRESS']).to.equal('ipv4:127.0.0.1:40003,127.0.0.1:40004');
  });
});

describe('the order of a stop', () => {
  it('has every process once, the gateway first and the stores last', () => {
    const names = stopOrder.flat();
    expect([...names].sort()).to.deep.equal(
      [...services.map(({ name }) => name), 'postgres', 'redis'].sort(),
    );
    expect(names[0]).to.equal('gateway');
    expect(names.at(-1)).to.equal('postgres');
  });
});
