import { toIso } from '@placard/service-kit/pure';
import type { RoutesOf } from '../../manage/domain/operations.js';
import type { GetHealth } from '../usecase/get-health.js';

/** What the routes need. */
export interface HealthRoutesDeps {
  readonly getHealth: GetHealth;
  /** A code of ISO 4217. */
  readonly currency: string;
}

/** The health of delivery. Contract: docs/contract/operator-interface.md#health. */
export function healthRoutes({ getHealth, currency }: HealthRoutesDeps): RoutesOf<'getHealth'> {
  return {
    getHealth: async () => {
      const { asOfMs, rows } = await getHealth();
      return { body: { as_of: toIso(asOfMs), currency, rows } };
    },
  };
}
