import path from 'node:path';
import type { DatabaseUrls, TableOwner } from './database-roles.js';
import type { DataFolder } from './data-folder.js';
import { given } from './settings/given.js';
import type { Entry, Layout } from './layout.js';
import { databaseUrlsSetting } from './process/migration-urls.js';
import { serviceNotice } from './process/notice.js';
import type { ProcessSpec } from './process/managed-process.js';
import { withoutSecrets, type SecretName } from './process/secret-settings.js';
import { askReadiness } from './readiness.js';
import type { KeyRingSettings, Secrets } from './settings/secrets.js';

/** One process of the product. */
export interface ServiceEntry {
  readonly name: ServiceName;
  /** The folder of its service. */
  readonly service: string;
  readonly entry: Entry;
  /** Name of the settings reader that its `config` module exports. */
  readonly reader: string;
  /** Its listeners for this machine alone, beside that of its metrics. */
  readonly ports: readonly ('grpc' | 'http')[];
  /** The secrets that it reads. It gets no others. */
  readonly secrets: readonly SecretName[];
}

/** The processes in the order of their start. */
export const services = [
  {
    name: 'console-service',
    service: 'console-service',
    entry: 'main',
    reader: 'readConsoleConfig',
    ports: ['grpc', 'http'],
    secrets: ['DATABASE_URL'],
  },
  {
    name: 'fraud-service',
    service: 'fraud-service',
    entry: 'main',
    reader: 'readFraudConfig',
    ports: ['grpc'],
    secrets: ['DATABASE_URL', 'REDIS_URL'],
  },
  {
    name: 'session-service',
    service: 'session-service',
    entry: 'main',
    reader: 'readSessionConfig',
    ports: ['grpc'],
    secrets: ['SESSION_TOKEN_KEYS'],
  },
  {
    name: 'events-service',
    service: 'events-service',
    entry: 'main',
    reader: 'readServiceConfig',
    ports: ['grpc'],
    secrets: ['DATABASE_URL', 'REDIS_URL', 'SESSION_TOKEN_KEYS', 'IMPRESSION_TOKEN_KEYS'],
  },
  {
    name: 'settlement-worker',
    service: 'events-service',
    entry: 'worker',
    reader: 'readWorkerConfig',
    ports: [],
    secrets: ['DATABASE_URL', 'REDIS_URL'],
  },
  {
    name: 'serving-service',
    service: 'serving-service',
    entry: 'main',
    reader: 'readServingConfig',
    ports: ['grpc'],
    secrets: ['REDIS_URL', 'SESSION_TOKEN_KEYS', 'IMPRESSION_TOKEN_KEYS'],
  },
  {
    name: 'gateway',
    service: 'gateway',
    entry: 'main',
    reader: 'readGatewayConfig',
    ports: [],
    secrets: ['REDIS_URL', 'NETWORK_HASH_KEY'],
  },
] as const satisfies readonly (Omit<ServiceEntry, 'name'> & { readonly name: string })[];

/** Names of the processes in logs and messages. */
export type ServiceName = (typeof services)[number]['name'];

/**
 * Groups in the order of their stop: callers before the services that they call (serving-service sends its last counts to
 * events-service), the stores last.
 */
export const stopOrder: readonly (readonly string[])[] = [
  ['gateway'],
  ['serving-service', 'session-service'],
  ['settlement-worker', 'events-service'],
  ['fraud-service', 'console-service'],
  ['redis'],
  ['postgres'],
];

/** Services that own tables. */
const migratingServices: readonly TableOwner[] = ['events-service', 'fraud-service', 'console-service'];

type PortsOf<Entry> = Entry extends { readonly name: infer Name extends string; readonly ports: infer Names }
  ? `${Name}.${(Names extends readonly (infer Port extends string)[] ? Port : never) | 'metrics'}`
  : never;

/** The purpose of a port: `console-service.http`. */
type PortName = 'postgres' | 'redis' | PortsOf<(typeof services)[number]>;

/** The ports that one instance needs beside the gateway's. */
export const portNames: readonly PortName[] = [
  'postgres',
  'redis',
  ...services.flatMap(({ name, ports }) =>
    [...ports, 'metrics'].map((port) => `${name}.${port}` as PortName),
  ),
];

/** Ports by purpose. */
export type Ports = Readonly<Record<PortName, number>>;

/** The ports of one more replica of every process, including its gateway. */
export type ReplicaPorts = Ports & { readonly 'gateway.http': number };

/** Other ports by listener. A gRPC service may have several. */
export type Route = {
  readonly [Name in keyof Ports]?: Name extends GrpcPort ? number | readonly number[] : number;
};

/**
 * Other ports by which a process connects to its peers and stores, by name of the process, then by listener. A replica
 * without an entry uses that of the first replica. Tests insert proxies in this way. Peers without an entry are used
 * directly.
 */
export type Routes = Readonly<Partial<Record<ServiceName | `${ServiceName}-${number}`, Route>>>;

/** The common facts of an instance's processes. */
export interface Instance {
  readonly folder: DataFolder;
  readonly layout: Layout;
  /** Folder for files that every start can make again. */
  readonly cacheDir: string;
  readonly ports: Ports;
  /** One entry for each further replica of the replicated processes; none in `npm start`. */
  readonly moreReplicas: readonly ReplicaPorts[];
  /** Which processes have those replicas. */
  readonly replicated: readonly ServiceName[];
  readonly routes: Routes;
  readonly gatewayPort: number;
  readonly gatewayHost: string;
  readonly databaseUrls: DatabaseUrls;
  readonly redisUrl: string;
  readonly secrets: Secrets;
  readonly keyRings: KeyRingSettings;
  /** The operator's settings. They override defaults, but not ports and addresses. */
  readonly env: NodeJS.ProcessEnv;
}

const LOOPBACK = '127.0.0.1';

/** How to run one process of the product. */
export function serviceSpec(
  instance: Instance,
  { name, service, entry }: ServiceEntry,
  replica = 1,
): ProcessSpec {
  const processName = replicaName(name, replica);
  return {
    name: processName,
    kind: 'service',
    command: process.execPath,
    args: instance.layout.entryArgs(service, entry),
    env: environmentOf(instance, name, replica),
    cwd: instance.layout.rootDir,
    user: null,
    stopSignal: 'SIGTERM',
    notice: serviceNotice,
    logFile: instance.folder.at('logs', `${processName}.log`),
    probe: () => askReadiness(readyUrl(instance, name, replica)),
  };
}

/** The name of a replica: the plain name for the first, `gateway-2` for the second. */
export function replicaName(name: string, replica: number): string {
  return replica === 1 ? name : `${name}-${replica}`;
}

/** Number of replicas of a process. */
export function replicasOf(
  { moreReplicas, replicated }: Pick<Instance, 'moreReplicas' | 'replicated'>,
  name: ServiceName,
): number {
  return replicated.includes(name) ? 1 + moreReplicas.length : 1;
}

/** The plain name of any replica. */
export function plainName(processName: string): string {
  return processName.replace(/-\d+$/, '');
}

/** Ports of all gateways, in their order. */
export function gatewayPortsOf(instance: Instance): readonly number[] {
  const more = instance.moreReplicas.map((ports) => ports['gateway.http']);
  return [instance.gatewayPort, ...more].slice(0, replicasOf(instance, 'gateway'));
}

function replicaPorts({ ports, gatewayPort, moreReplicas }: Instance, replica: number): ReplicaPorts {
  return moreReplicas[replica - 2] ?? { ...ports, 'gateway.http': gatewayPort };
}

/** URL of the readiness on the metrics port. It shows the components; the gateway's public port does not. */
function readyUrl(instance: Instance, name: ServiceName, replica: number): string {
  return `http://127.0.0.1:${replicaPorts(instance, replica)[`${name}.metrics`]}/readyz`;
}

/** How to run all migrations, in one process that ends. */
export function migrationSpec(instance: Instance): ProcessSpec {
  return {
    name: 'migrations',
    kind: 'service',
    command: process.execPath,
    args: instance.layout.migrationArgs(migratingServices),
    env: {
      ...sharedEnvironment(instance),
      ...databaseUrlsSetting(migratingServices.map((owner) => instance.databaseUrls[owner])),
    },
    cwd: instance.layout.rootDir,
    user: null,
    stopSignal: 'SIGTERM',
    notice: serviceNotice,
    logFile: instance.folder.at('logs', 'migrations.log'),
    probe: null,
  };
}

/** Every setting of one process: the operator's, the instance's addresses, its own secrets and ports. */
export function environmentOf(instance: Instance, name: ServiceName, replica = 1): NodeJS.ProcessEnv {
  const route = routeOf(instance, name, replica);
  const at = (what: GrpcPort): string => addressOf(instance, what, route[what]);
  return {
    ...sharedEnvironment(instance),
    ...secretsOf(instance, name, route),
    ...Object.fromEntries(grpcPorts.map((port) => [addressSetting(port), at(port)])),
    // The setting takes one URL. A route can lead to a balancer in front of several console-services.
    CONSOLE_HTTP_URL: `http://${LOOPBACK}:${route['console-service.http'] ?? instance.ports['console-service.http']}`,
    CATALOG_CACHE_FILE: instance.folder.at('cache', `catalog-${replicaName(name, replica)}`),
    ...ownPorts(instance.gatewayHost, name, replicaPorts(instance, replica)),
  };
}

/** A replica's own route, else that of all replicas. */
function routeOf({ routes }: Instance, name: ServiceName, replica: number): Route {
  return routes[`${name}-${replica}`] ?? routes[name] ?? {};
}

/** The secrets that a process reads: the operator's, else those of the data folder. */
function secretsOf(instance: Instance, name: ServiceName, route: Route): NodeJS.ProcessEnv {
  const { secrets, env, databaseUrls, redisUrl } = instance;
  const { service, secrets: read } = entryOf(name);
  const all: Readonly<Record<SecretName, string>> = {
    DATABASE_URL: through(isTableOwner(service) ? databaseUrls[service] : '', route.postgres),
    REDIS_URL: through(redisUrl, route.redis),
    ...keyRingSettings(instance),
    NETWORK_HASH_KEY: given(env, 'NETWORK_HASH_KEY') ?? secrets.networkHashKey,
  };
  return Object.fromEntries(read.map((secret) => [secret, all[secret]]));
}

/** The entry of a process. */
export function entryOf(name: ServiceName): ServiceEntry {
  const entry = services.find((service) => service.name === name);
  if (entry === undefined) throw new Error(`no process ${name}`);
  return entry;
}

function isTableOwner(service: string): service is TableOwner {
  return (migratingServices as readonly string[]).includes(service);
}

/** A port that is called by gRPC. */
type GrpcPort = Extract<keyof Ports, `${string}.grpc`>;

const grpcPorts = portNames.filter((name): name is GrpcPort => name.endsWith('.grpc'));

/** The setting with the address of a service: `SESSION_SERVICE_ADDRESS` for `session-service.grpc`. */
function addressSetting(port: GrpcPort): string {
  return `${port.replace('.grpc', '').replaceAll('-', '_').toUpperCase()}_ADDRESS`;
}

/** The address of all replicas of a service, for a client that balances over them, or that of a route. */
export function addressOf(
  instance: Instance,
  what: GrpcPort,
  route: number | readonly number[] = placesOf(instance, what),
): string {
  const all = [route].flat();
  const list = all.map((port) => `${LOOPBACK}:${port}`).join(',');
  return all.length === 1 ? list : `ipv4:${list}`;
}

function placesOf(instance: Instance, what: GrpcPort): readonly number[] {
  const { ports, moreReplicas } = instance;
  const name = services.find((service) => `${service.name}.grpc` === what)?.name;
  const all = [ports, ...moreReplicas].map((of) => of[what]);
  return name === undefined ? all : all.slice(0, replicasOf(instance, name));
}

/** The key rings: those that the operator set, else those of the data folder. */
function keyRingSettings({ env, keyRings }: Instance): KeyRingSettings {
  return {
    SESSION_TOKEN_KEYS: given(env, 'SESSION_TOKEN_KEYS') ?? keyRings.SESSION_TOKEN_KEYS,
    IMPRESSION_TOKEN_KEYS: given(env, 'IMPRESSION_TOKEN_KEYS') ?? keyRings.IMPRESSION_TOKEN_KEYS,
  };
}

/** The used files of key rings; none when the operator set the rings directly. */
export function keyRingFilesOf(instance: Instance): readonly string[] {
  const rings = Object.values(keyRingSettings(instance)) as readonly string[];
  return rings.filter((ring) => ring.startsWith('file:')).map((ring) => ring.slice('file:'.length));
}

/** The same store through another port of this machine. */
function through(storeUrl: string, port: number | undefined): string {
  if (port === undefined || storeUrl === '') return storeUrl;
  const url = new URL(storeUrl);
  url.host = `${LOOPBACK}:${port}`;
  return url.href;
}

function ownPorts(gatewayHost: string, name: ServiceName, ports: ReplicaPorts): NodeJS.ProcessEnv {
  const METRICS_PORT = String(ports[`${name}.metrics`]);
  if (name === 'gateway') {
    return { HOST: gatewayHost, PORT: String(ports['gateway.http']), METRICS_HOST: LOOPBACK, METRICS_PORT };
  }
  const others = entryOf(name).ports.map(
    (port) => [`${port.toUpperCase()}_PORT`, String(ports[`${name}.${port}` as PortName])] as const,
  );
  return { HOST: LOOPBACK, METRICS_PORT, ...Object.fromEntries(others) };
}

/** The environment for all processes, without variables of npm and test runners and without secrets. */
function sharedEnvironment({ env, cacheDir }: Instance): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean =>
    name.startsWith('npm_') || name === 'PORT' || name === 'GRPC_PORT';
  const own = Object.entries(withoutSecrets(env)).filter(([name]) => !isForeign(name));
  // Node.js 22 and newer cache compiled code, which shortens the start of a process by a quarter.
  const NODE_COMPILE_CACHE = path.join(cacheDir, 'node');
  return { NODE_ENV: 'production', NODE_COMPILE_CACHE, ...Object.fromEntries(own) };
}
