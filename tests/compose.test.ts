import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CLOSE_MS_MAX, DRAIN_SECONDS_MAX } from '@placard/service-kit';
import { expect } from 'chai';
import { parse } from 'yaml';
import { SERVICES } from '../deploy/images/contents.mjs';
import { ROOT } from './driver/placard.js';
import { processes, sampleOf, settingNames } from './kubernetes/processes.js';

/** The used part of the file format. Any other key is a fault. */
interface ComposeService {
  readonly image: string;
  readonly build?: {
    readonly context: string;
    readonly dockerfile: string;
    readonly args: { readonly SERVICE: string };
  };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly ports?: readonly string[];
  readonly pull_policy?: string;
  readonly user?: string;
  readonly stop_grace_period?: string;
}
interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const KEYS: ReadonlySet<string> = new Set([
  ...[
    'image',
    'build',
    'command',
    'entrypoint',
    'environment',
    'depends_on',
    'healthcheck',
    'volumes',
    'ports',
  ],
  ...[
    'restart',
    'user',
    'read_only',
    'cap_drop',
    'security_opt',
    'stop_grace_period',
    'profiles',
    'pull_policy',
  ],
]);
/** Settings that a container does not need: its ports and addresses are its own. */
const OWN_IN_CONTAINER = [
  'HOST',
  'METRICS_HOST',
  'PORT',
  'GRPC_PORT',
  'WRITE_GRPC_PORT',
  'HTTP_PORT',
  'MANAGE_PORT',
  'METRICS_PORT',
];
/** The stores of the file are in its own network and have no certificates. */
const OF_OTHER_STORES = ['DATABASE_CA_FILE', 'DATABASE_SERVER_NAME', 'REDIS_CA_FILE', 'REDIS_SERVER_NAME'];
const VARIABLE = /\$\{([A-Z_]+)(?::[-?]([^}]*))?\}/g;

const dir = path.join(ROOT, 'deploy', 'compose');
const text = readFileSync(path.join(dir, 'compose.yaml'), 'utf8');
const { services, volumes } = parse(text, { merge: true }) as ComposeFile;
const targets = JSON.parse(
  readFileSync(path.join(ROOT, 'deploy/observability/targets/compose.json'), 'utf8'),
) as readonly object[];
const example = new Map(
  readFileSync(path.join(dir, '.env.example'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const match = /^([A-Z_]+)=(.*)$/.exec(line);
      return match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const];
    }),
);

/** A value with the variables of the example file filled in. */
function filledIn(value: string): string {
  return value.replace(VARIABLE, (_, name: string, other: string | undefined) => {
    const given = example.get(name) ?? '';
    return given === ''
      ? sampleOf(name) || (name.endsWith('_PASSWORD') ? `the-${name}` : (other ?? ''))
      : given;
  });
}

function environmentOf(name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(services[name]?.environment ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, filledIn(String(value))]));
}

function needsOf({ depends_on: needs = [] }: ComposeService): Readonly<Record<string, string>> {
  if (!Array.isArray(needs))
    return Object.fromEntries(Object.entries(needs).map(([name, { condition }]) => [name, condition]));
  return Object.fromEntries((needs as readonly string[]).map((name) => [name, 'service_started']));
}

/** Services that run one of the project's images. */
const own = Object.entries(services).filter(([, { image }]) => image.includes('PLACARD_PREFIX'));

describe('the compose file', () => {
  for (const [name, read] of Object.entries(processes)) {
    it(`runs ${name} with all settings that it reads, and values that it accepts`, () => {
      const environment = environmentOf(name);
      const other = [...OWN_IN_CONTAINER, ...OF_OTHER_STORES];
      const wanted = [...settingNames(read)].filter((setting) => !other.includes(setting));
      expect(Object.keys(environment)).to.have.members(wanted);
      expect(() => read(environment)).not.to.throw();
    });

    it(`publishes the metrics of ${name} only on this machine, at the address that Prometheus scrapes`, () => {
      const port = String(read(environmentOf(name))['METRICS_PORT']);
      const published = (services[name]?.ports ?? []).filter((one) => one.endsWith(`:${port}`));
      expect(published).to.deep.equal([`127.0.0.1:${port}:${port}`]);
      const target = { targets: [`127.0.0.1:${port}`], labels: { job: name, namespace: 'compose' } };
      expect(targets).to.deep.include(target);
      expect(targets).to.have.length(Object.keys(processes).length);
    });

    it(`probes the readiness of ${name} on its own port`, () => {
      const port = String(read(environmentOf(name))['METRICS_PORT']);
      expect(services[name]?.healthcheck?.test.join(' ')).to.contain(`127.0.0.1:${port}/readyz`);
    });
  }

  it('addresses every process by its name and the port on which it listens', () => {
    for (const name of Object.keys(processes)) {
      for (const [setting, value] of Object.entries(environmentOf(name))) {
        const match = /^(?:http:\/\/)?([a-z]+-service):(\d+)$/.exec(value);
        if (match === null) continue;
        const [, peer = '', port = ''] = match;
        const settings = processes[peer]?.(environmentOf(peer)) ?? {};
        const ports = ['GRPC_PORT', 'WRITE_GRPC_PORT', 'HTTP_PORT', 'MANAGE_PORT'].map((one) =>
          String(settings[one]),
        );
        expect(ports, `${name}: ${setting}`).to.include(port);
      }
    }
  });

  it('names only existing images, services, volumes, keys of the format and variables of the example', () => {
    for (const [name, service] of Object.entries(services)) {
      expect([...KEYS], name).to.include.members(Object.keys(service));
      expect(Object.keys(services), name).to.include.members(Object.keys(needsOf(service)));
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (!source.startsWith('.')) expect(volumes, name).to.have.property(source);
      }
    }
    for (const [name, { image, build }] of own) {
      const service = /\}([a-z-]+):/.exec(image)?.[1] ?? '';
      expect(SERVICES, name).to.include(service);
      const tag = `${service.toUpperCase().replace('-', '_')}_TAG`;
      expect(image, name).to.equal(`\${PLACARD_PREFIX:-placard/}${service}:\${${tag}:-dev}`);
      if (build !== undefined) expect(build.args.SERVICE, name).to.equal(service);
    }
    const variables = new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''));
    expect([...example.keys()]).to.have.members([...variables]);
  });

  it('pulls images from a registry only with PLACARD_PULL_POLICY', () => {
    for (const [name, service] of own)
      expect(service.pull_policy, name).to.equal('${PLACARD_PULL_POLICY:-never}');
    for (const [name, { pull_policy: policy }] of Object.entries(services))
      if (!own.some(([ours]) => ours === name)) expect(policy, name).to.equal(undefined);
  });

  it('lets each process drain and close before it is killed', () => {
    for (const name of Object.keys(processes)) {
      const grace = Number(/^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '')?.[1]);
      expect(grace, name).to.be.above(DRAIN_SECONDS_MAX + CLOSE_MS_MAX / 1_000);
    }
  });

  it('builds each image once', () => {
    const built = own.flatMap(([, { build }]) => (build === undefined ? [] : [build.args.SERVICE]));
    expect(built).to.have.members([...SERVICES]);
  });

  it('migrates every owner of tables before the processes that read them', () => {
    const needs = (name: string): Readonly<Record<string, string>> => needsOf(services[name]!);
    const done = 'service_completed_successfully';
    expect(needs('console-service')).to.include({ 'console-migrations': done });
    expect(needs('fraud-service')).to.include({ 'fraud-migrations': done });
    expect(needs('events-service')).to.include({ 'events-migrations': done });
    expect(needs('settlement-worker')).to.include({ 'events-migrations': done });
    for (const owner of ['events', 'fraud', 'console']) {
      const migrations = services[`${owner}-migrations`]!;
      expect(migrations.command).to.deep.equal(['dist/migrate.js']);
      expect(needsOf(migrations)).to.deep.equal({ 'database-roles': done });
    }
    expect(needs('database-roles')).to.deep.equal({ postgres: 'service_healthy' });
  });

  it('gives each process and its migration the role of its owner, and the superuser to none', () => {
    const owners = {
      'events-service': 'events',
      'settlement-worker': 'events',
      'events-migrations': 'events',
    };
    const others = { 'fraud-service': 'fraud', 'fraud-migrations': 'fraud' };
    const consoles = { 'console-service': 'console', 'console-migrations': 'console' };
    const ownerOf: Readonly<Record<string, string>> = { ...owners, ...others, ...consoles };
    for (const [name] of own) {
      const { username, password } = new URL(environmentOf(name)['DATABASE_URL'] ?? 'postgres://none');
      const owner = ownerOf[name];
      const wanted =
        owner === undefined ? ['', ''] : [`placard_${owner}`, `the-${owner.toUpperCase()}_DATABASE_PASSWORD`];
      expect([username, password], name).to.deep.equal(wanted);
      expect(Object.values(environmentOf(name)).join(), name).not.to.include('the-POSTGRES_PASSWORD');
    }
  });

  it('gives the roles the passwords that the processes have', () => {
    const sql = readFileSync(path.join(dir, 'passwords.sql'), 'utf8');
    for (const owner of ['events', 'fraud', 'console']) {
      expect(sql).to.include(`\\getenv ${owner}_password ${owner.toUpperCase()}_DATABASE_PASSWORD`);
      expect(sql).to.include(`ALTER ROLE placard_${owner} PASSWORD :'${owner}_password';`);
    }
    const { volumes: mounted = [], command = [] } = services['database-roles']!;
    for (const mount of mounted) {
      const [source = '', target = ''] = mount.split(':');
      expect(existsSync(path.join(dir, source)), source).to.equal(true);
      expect(command).to.include(target);
    }
  });

  it('protects Redis with a password that is not in any argument', () => {
    const { command = [], environment = {} } = services['redis']!;
    expect(command.join(' ')).to.include('requirepass').and.not.include('${');
    expect(filledIn(String(environment['REDISCLI_AUTH']))).to.equal('the-REDIS_PASSWORD');
    for (const name of Object.keys(processes)) {
      const url = environmentOf(name)['REDIS_URL'];
      if (url !== undefined) expect(url, name).to.equal('redis://:the-REDIS_PASSWORD@redis:6379');
    }
  });

  it('gives each container only the privileges that it needs', () => {
    for (const [name, { read_only: isReadOnly, cap_drop: dropped, volumes: mounted = [] }] of own) {
      expect({ isReadOnly, dropped }, name).to.deep.equal({ isReadOnly: true, dropped: ['ALL'] });
      const writable = mounted.filter((mount) => !mount.endsWith(':ro'));
      const cache = environmentOf(name)['CATALOG_CACHE_FILE'];
      const wanted = cache === undefined ? [] : [path.posix.dirname(cache)];
      expect(
        writable.map((mount) => mount.split(':')[1]),
        name,
      ).to.deep.equal(wanted);
    }
  });
});
