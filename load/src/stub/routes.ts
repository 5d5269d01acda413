import type { Routes } from '@placard/local';
import type { Target } from '../operations.js';

/** The port of each target. */
export const ADDRESS_PORTS = {
  session: 'session-service.grpc',
  serving: 'serving-service.grpc',
  events: 'events-service.grpc',
  fraud: 'fraud-service.grpc',
} as const satisfies Readonly<Record<Exclude<Target, 'gateway'>, string>>;

const PROCESS_OF = {
  gateway: 'gateway',
  session: 'session-service',
  serving: 'serving-service',
  events: 'events-service',
  fraud: 'fraud-service',
} as const satisfies Readonly<Record<Target, string>>;

/** Routes that lead the target's calls of data-plane services to the stub. The catalog is the real one. */
export function stubRoutes(target: Target, stubPort: number): Routes {
  const others = Object.entries(ADDRESS_PORTS).filter(([name]) => name !== target);
  return { [PROCESS_OF[target]]: Object.fromEntries(others.map(([, port]) => [port, stubPort])) };
}
