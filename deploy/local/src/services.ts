import type { DatabaseUrls, TableOwner } from './database-roles.js';
import type { DataFolder } from './data-folder.js';
import type { Entry, Layout } from './layout.js';
import type { SecretName } from './process/secret-settings.js';
import type { KeyRingSettings, OperatorKey, Secrets } from './settings/secrets.js';

/** One process of the product. */
export interface ServiceEntry {
  readonly name: ServiceName;
  /** The folder of its service. */
  readonly service: string;
  readonly entry: Entry;
  /** Name of the settings reader that its `config` module exports. */
  readonly reader: string;
  /** Its listeners for this machine alone, beside that of its metrics. */
  readonly ports: readonly ('grpc' | 'write-grpc' | 'http' | 'manage')[];
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
    ports: ['grpc', 'http', 'manage'],
    secrets: ['DATABASE_URL', 'REDIS_URL', 'BOOTSTRAP_KEY', 'CATALOG_READ_KEY', 'LEDGER_WRITE_KEY'],
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
    secrets: ['SESSION_TOKEN_KEYS', 'CATALOG_READ_KEY'],
  },
  {
    name: 'events-service',
    service: 'events-service',
    entry: 'main',
    reader: 'readServiceConfig',
    ports: ['grpc', 'write-grpc'],
    secrets: [
      ...['DATABASE_URL', 'REDIS_URL', 'SESSION_TOKEN_KEYS', 'IMPRESSION_TOKEN_KEYS'],
      ...['CATALOG_READ_KEY', 'LEDGER_WRITE_KEY'],
    ],
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
    secrets: ['REDIS_URL', 'SESSION_TOKEN_KEYS', 'IMPRESSION_TOKEN_KEYS', 'CATALOG_READ_KEY'],
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
export const migratingServices: readonly TableOwner[] = [
  'events-service',
  'fraud-service',
  'console-service',
];

type PortsOf<Entry> = Entry extends { readonly name: infer Name extends string; readonly ports: infer Names }
  ? `${Name}.${(Names extends readonly (infer Port extends string)[] ? Port : never) | 'metrics'}`
  : never;

/** The purpose of a port: `console-service.http`. */
export type PortName = 'postgres' | 'redis' | PortsOf<(typeof services)[number]>;

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

/** A port that is called by gRPC. */
export type GrpcPort = Extract<keyof Ports, `${string}.grpc` | `${string}.write-grpc`>;

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
  /** One entry for each further replica of the replicated processes. */
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
  readonly operatorKey: OperatorKey;
  /** False: services want no keys of each other, since processes of releases without keys are among them. */
  readonly hasCallKeys: boolean;
  /**
   * A folder with one for each service and for `operator`, which holds `tls.crt`, `tls.key` and `ca.crt`. Null: without TLS.
   */
  readonly certificatesDir: string | null;
  /** The operator's settings. They override defaults, but not ports and addresses. */
  readonly env: NodeJS.ProcessEnv;
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

/** The ports of a replica. */
export function replicaPorts({ ports, gatewayPort, moreReplicas }: Instance, replica: number): ReplicaPorts {
  return moreReplicas[replica - 2] ?? { ...ports, 'gateway.http': gatewayPort };
}

/** URL of the metrics of each process, by its name. */
export function metricsUrlsOf(instance: Instance): Readonly<Record<string, string>> {
  const urls = services.flatMap(({ name }) =>
    Array.from({ length: replicasOf(instance, name) }, (_, index) => {
      const port = replicaPorts(instance, index + 1)[`${name}.metrics`];
      return [replicaName(name, index + 1), `http://127.0.0.1:${port}/metrics`] as const;
    }),
  );
  return Object.fromEntries(urls);
}

/** The entry of a process. */
export function entryOf(name: ServiceName): ServiceEntry {
  const entry = services.find((service) => service.name === name);
  if (entry === undefined) throw new Error(`no process ${name}`);
  return entry;
}
