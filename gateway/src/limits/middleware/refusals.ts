import type { Scope } from '@placard/service-kit';
import { Counter } from 'prom-client';
import type { LimitDimension, LimitGroup } from '../domain/rate-limits.js';

/** Counts a refusal by a limit per minute, or by a limit of `open` connections or requests. */
export type CountRefusal = (group: LimitGroup | 'connections', dimension: LimitDimension | 'open') => void;

/** Makes the counter of all refusals. */
export function makeCountRefusal(scope: Scope): CountRefusal {
  const refusals = new Counter({
    name: 'placard_rate_limited_total',
    help: 'Requests and connections refused by a limit, by group of endpoints and dimension',
    labelNames: ['group', 'dimension'] as const,
    registers: [scope.metrics],
  });
  return (group, dimension) => refusals.inc({ group, dimension });
}
