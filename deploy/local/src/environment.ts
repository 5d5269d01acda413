import type { TlsFiles } from '@placard/service-kit';
import path from 'node:path';
import type { TableOwner } from './database-roles.js';
import { withoutSecrets, type SecretName } from './process/secret-settings.js';
import {
  entryOf,
  migratingServices,
  portNames,
  replicaName,
  replicaPorts,
  replicasOf,
  services,
  type GrpcPort,
  type Instance,
  type PortName,
  type ReplicaPorts,
  type Route,
  type ServiceName,
} from './services.js';
import { given } from './settings/given.js';
import { callKeysOf, operatorKeyOf, type KeyRingSettings } from './settings/secrets.js';
import { withoutTls } from './settings/tls-settings.js';

const LOOPBACK = '127.0.0.1';
/** The header in which the page `/try` sends its country, when the operator names no other. */
const COUNTRY_HEADER = 'x-country';

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
    MANAGE_URL: manageUrlOf(instance, route['console-service.manage']),
    CATALOG_CACHE_FILE: instance.folder.at('cache', `catalog-${replicaName(name, replica)}`),
    ...(name === 'gateway'
      ? { COUNTRY_HEADER: given(instance.env, 'COUNTRY_HEADER') ?? COUNTRY_HEADER }
      : {}),
    ...ownPorts(instance.gatewayHost, name, replicaPorts(instance, replica)),
    ...certificateSettings(instance, entryOf(name).service),
  };
}

/** The URL of the management API of console-service, or of a route to it. */
export function manageUrlOf(instance: Instance, port = instance.ports['console-service.manage']): string {
  return `${instance.certificatesDir === null ? 'http' : 'https'}://${LOOPBACK}:${port}`;
}

/** The files of a holder of a certificate: a service, or `operator`. Null: without TLS. */
export function tlsFilesOf({ certificatesDir }: Instance, holder: string): TlsFiles | null {
  if (certificatesDir === null) return null;
  const at = (file: string): string => path.join(certificatesDir, holder, file);
  return { certFile: at('tls.crt'), keyFile: at('tls.key'), caFile: at('ca.crt') };
}

function certificateSettings(instance: Instance, service: string): NodeJS.ProcessEnv {
  const files = tlsFilesOf(instance, service);
  if (files === null) return {};
  const { certFile, keyFile, caFile } = files;
  return { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile, REQUIRE_TLS: '1' };
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
    BOOTSTRAP_KEY: operatorKeyOf(instance),
    ...callKeysOf(instance),
  };
  return Object.fromEntries(read.map((secret) => [secret, all[secret]]));
}

function isTableOwner(service: string): service is TableOwner {
  return (migratingServices as readonly string[]).includes(service);
}

const grpcPorts = portNames.filter((name): name is GrpcPort => name.endsWith('grpc'));

/**
 * The setting with the address of a port: `SESSION_SERVICE_ADDRESS` for `session-service.grpc`,
 * `EVENTS_SERVICE_WRITE_ADDRESS` for `events-service.write-grpc`.
 */
function addressSetting(port: GrpcPort): string {
  return `${port.replace('.write-grpc', '-write').replace('.grpc', '').replaceAll('-', '_').toUpperCase()}_ADDRESS`;
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
  const name = services.find((service) => what.startsWith(`${service.name}.`))?.name;
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
    (port) =>
      [
        `${port.toUpperCase().replaceAll('-', '_')}_PORT`,
        String(ports[`${name}.${port}` as PortName]),
      ] as const,
  );
  return { HOST: LOOPBACK, METRICS_PORT, ...Object.fromEntries(others) };
}

/** The environment for all processes, without variables of npm and test runners, secrets and the settings of TLS. */
export function sharedEnvironment({ env, cacheDir }: Instance): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean =>
    name.startsWith('npm_') || ['PORT', 'GRPC_PORT', 'WRITE_GRPC_PORT'].includes(name);
  const own = Object.entries(withoutTls(withoutSecrets(env))).filter(([name]) => !isForeign(name));
  // Node.js 22 and newer cache compiled code, which shortens the start of a process by a quarter.
  const NODE_COMPILE_CACHE = path.join(cacheDir, 'node');
  return { NODE_ENV: 'production', NODE_COMPILE_CACHE, ...Object.fromEntries(own) };
}
