import type { Ports, Routes } from '@placard/local';
import { openFaultProxy, type Fault, type FaultProxy } from './fault-proxy.js';

/** One way of one process to a peer or store, with a proxy in it. */
export interface Link {
  readonly from: string;
  /** The process or store at the other end. */
  readonly to: string;
  readonly proxy: FaultProxy;
}

/** Whom each process talks to. */
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
  'console-service': ['events-service.grpc', 'postgres'],
} as const satisfies Readonly<Record<string, readonly (keyof Ports)[]>>;

/** The proxies between all processes and stores of one product. */
export class Links {
  readonly #links: Link[] = [];

  /** Opens a proxy in each connection of the picture; answers the routes that lead through them. */
  async open(ports: Ports): Promise<Routes> {
    const routes: Record<string, Record<string, number>> = {};
    for (const [from, peers] of Object.entries(PEERS)) {
      const route: Record<string, number> = {};
      for (const peer of peers) {
        const proxy = await openFaultProxy({ host: '127.0.0.1', port: ports[peer] });
        this.#links.push({ from, to: peer.replace(/\.(grpc|http)$/, ''), proxy });
        route[peer] = proxy.port;
      }
      routes[from] = route;
    }
    return routes;
  }

  /** Those that begin or end at a process or store. */
  of(name: string): readonly Link[] {
    return this.#links.filter(({ from, to }) => from === name || to === name);
  }

  /** From now on new connections to a store go to this port: each proxy is a name that follows the store's primary. */
  leadTo(store: string, port: number): void {
    for (const { to, proxy } of this.#links) if (to === store) proxy.leadTo(port);
  }

  /** Makes all connections well again. */
  heal(): void {
    for (const { proxy } of this.#links) proxy.set({ kind: 'none' });
  }

  async close(): Promise<void> {
    await Promise.all(this.#links.map(({ proxy }) => proxy.close()));
  }
}

/** Sets the same fault on several. */
export function setAll(links: readonly Link[], fault: Fault): void {
  for (const { proxy } of links) proxy.set(fault);
}
