import { Gauge } from 'prom-client';
import type { Scope } from '../../process/scope.js';
import { placesOf } from './places.js';

/** Watches for gRPC that leaves this machine without TLS. */
export interface MissingTls {
  /** The process listens at a host. */
  listens(host: string): void;
  /** The process calls a service. */
  calls(service: string, address: string): void;
}

/** The watch of a process. Its first finding is logged, and sets `placard_tls_missing`. */
export function watchMissingTls(scope: Scope): MissingTls {
  return scope.once(makeMissingTls);
}

function makeMissingTls(scope: Scope): MissingTls {
  const gauge = new Gauge({
    name: 'placard_tls_missing',
    help: '1: this process serves or calls gRPC beyond its own machine without TLS',
    registers: [scope.metrics],
  });
  gauge.set(0);
  let isMissing = false;
  const find = (what: string): void => {
    if (isMissing) return;
    isMissing = true;
    gauge.set(1);
    scope.log.warn(
      { what },
      'gRPC without TLS leaves this machine: whoever is in the network can read calls and make them. ' +
        'Set TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE.',
    );
  };
  return {
    listens: (host) => {
      if (!isLoopback(host)) find('this process listens beyond loopback');
    },
    calls: (service, address) => {
      if (!placesOf(address).every(({ host }) => isLoopback(host)))
        find(`this process calls ${service} beyond loopback`);
    },
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
