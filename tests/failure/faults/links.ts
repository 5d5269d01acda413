import type { Ports, ReplicaPorts, Routes, ServiceName } from '@placard/local';
import { openFaultProxy, type Fault, type FaultProxy } from './fault-proxy.js';

/** The connection of one process to a peer or store, through a proxy. */
export interface Link {
  readonly from: string;
  /** The process or store at the other end. */
  readonly to: string;
  readonly proxy: FaultProxy;
}

/** The peers of each process. */
const PEERS = {
  gateway: [
    'session-service.grpc',
    'serving-service.grpc',
    'events-service.grpc',
    'console-service.http',
    'redis',
  ],
  'session-service': ['console-service.grpc', 'fraud-service.grpc'],
  'serving-service': ['console-service.grpc', 'events-service.grpc', 'fraud-service.grpc', 'redis'],
  'events-service': [
    'console-service.grpc',
    'serving-service.grpc',
    'fraud-service.grpc',
    'redis',
    'postgres',
  ],
  'settlement-worker': ['redis', 'postgres'],
  'fraud-service': ['redis', 'postgres'],
  'console-service': ['events-service.grpc', 'events-service.write-grpc', 'postgres'],
} as const satisfies Readonly<Record<string, readonly (keyof Ports)[]>>;

/** Processes with two replicas: those that hold and grant money. Each replica has its own connections. */
export const TWICE = ['serving-service', 'events-service'] as const satisfies readonly ServiceName[];

/** The names of a process's replicas: the plain name, and for the second one such as `serving-service-2`. */
export function replicaNames(name: string): readonly string[] {
  return TWICE.some((each) => each === name) ? [name, `${name}-2`] : [name];
}

/** The proxies between all processes and stores of one product. */
export class Links {
  readonly #links: Link[] = [];

  /** Opens a proxy in each connection of {@link PEERS} and of each replica; returns the routes through the proxies. */
  async open(ports: Ports, second: ReplicaPorts): Promise<Routes> {
    const routes: Record<string, Record<string, number | readonly number[]>> = {};
    for (const [process, peers] of Object.entries(PEERS)) {
      for (const from of replicaNames(process)) {
        const route: Record<string, number | readonly number[]> = {};
        for (const peer of peers) {
          const opened = await this.#openTo(from, peer, [ports[peer], second[peer]]);
          route[peer] = opened.length === 1 ? opened[0]! : opened;
        }
        routes[from] = route;
      }
    }
    return routes;
  }

  /** The ports of the proxies in front of each replica of a peer. */
  async #openTo(from: string, peer: string, ports: readonly number[]): Promise<readonly number[]> {
    const names = replicaNames(peer.replace(/\.(grpc|http)$/, ''));
    const opened = names.map(async (to, index) => {
      const proxy = await openFaultProxy({ host: '127.0.0.1', port: ports[index]! });
      this.#links.push({ from, to, proxy });
      return proxy.port;
    });
    return Promise.all(opened);
  }

  /** Links that begin or end at a process or store. */
  of(name: string): readonly Link[] {
    return this.#links.filter(({ from, to }) => from === name || to === name);
  }

  /** Leads new connections to a store to this port, like a name that follows the store's primary. */
  leadTo(store: string, port: number): void {
    for (const { to, proxy } of this.#links) if (to === store) proxy.leadTo(port);
  }

  /** Ends the faults of all connections. */
  heal(): void {
    for (const { proxy } of this.#links) proxy.set({ kind: 'none' });
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map(({ proxy }) => proxy.close()));
  }
}

/** Sets the same fault on several links. */
export function setAll(links: readonly Link[], fault: Fault): void {
  for (const { proxy } of links) proxy.set(fault);
}
