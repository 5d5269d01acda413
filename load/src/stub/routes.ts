import type { Routes } from '@placard/local';
import type { Target } from '../operations.js';

/** By which port each target is called. */
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

/** Leads the target to the stub wherever it would call a service of the data plane; the catalog stays the real one. */
export function stubRoutes(target: Target, stubPort: number): Routes {
  const others = Object.entries(ADDRESS_PORTS).filter(([name]) => name !== target);
  return { [PROCESS_OF[target]]: Object.fromEntries(others.map(([, port]) => [port, stubPort])) };
}
