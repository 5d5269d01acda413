import { Gauge } from 'prom-client';
import type { Scope } from './scope.js';

/** Watches for traffic that leaves this machine without TLS. */
export interface MissingTls {
  /** The process serves gRPC at a host, without TLS. */
  listens(host: string): void;
  /** The process calls a service at hosts, without TLS. */
  calls(service: string, hosts: readonly string[]): void;
  /** The process reaches Postgres at hosts, without TLS. No host: with TLS. */
  reachesPostgres(hosts: readonly string[]): void;
  /** The process reaches Redis at hosts, without TLS. No host: with TLS. */
  reachesRedis(hosts: readonly string[]): void;
}

/** What to set, by the kind of traffic. */
const REMEDIES = {
  gRPC: 'Set TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE.',
  Postgres: 'End DATABASE_URL with ?sslmode=verify-full.',
  Redis: 'Begin REDIS_URL with rediss:// or rediss-cluster://.',
} as const;

/** The watch of a process. Its first finding of each kind is logged, and any sets `placard_tls_missing`. */
export function watchMissingTls(scope: Scope): MissingTls {
  return scope.once(makeMissingTls);
}

function makeMissingTls(scope: Scope): MissingTls {
  const gauge = new Gauge({
    name: 'placard_tls_missing',
    help: '1: this process serves or calls gRPC, or reaches Postgres or Redis, beyond its own machine without TLS',
    registers: [scope.metrics],
  });
  gauge.set(0);
  const found = new Set<string>();
  const look = (kind: keyof typeof REMEDIES, hosts: readonly string[], what: string): void => {
    if (found.has(kind) || hosts.every(isLoopback)) return;
    found.add(kind);
    gauge.set(1);
    scope.log.warn(
      { what },
      `${kind} without TLS leaves this machine: whoever is in the network can read and change what is sent. ${REMEDIES[kind]}`,
    );
  };
  return {
    listens: (host) => look('gRPC', [host], 'this process listens beyond loopback'),
    calls: (service, hosts) => look('gRPC', hosts, `this process calls ${service} beyond loopback`),
    reachesPostgres: (hosts) => look('Postgres', hosts, 'this process reaches Postgres beyond loopback'),
    reachesRedis: (hosts) => look('Redis', hosts, 'this process reaches Redis beyond loopback'),
  };
}

/** Whether traffic to a host stays on this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
