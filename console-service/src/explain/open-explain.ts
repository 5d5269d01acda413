import type { Scope } from '@placard/service-kit';
import type { Pool } from '@placard/service-kit/postgres';
import type { Config } from '../config.js';
import { openExplanations, type Explanations } from './clients/explanations.js';
import { explainRoutes } from './routes/explain-routes.js';
import { makeHasCampaign } from './store/campaigns.pg.js';
import { makeExplainCampaign } from './usecase/explain-campaign.js';

/** What the other services know about lost requests, and the routes over it. */
export interface Explain {
  readonly explanations: Explanations;
  readonly routes: ReturnType<typeof explainRoutes>;
}

/** Opens the explanations. */
export function openExplain(
  scope: Scope,
  { pool, config }: { readonly pool: Pool; readonly config: Config },
): Explain {
  const explanations = openExplanations(scope, {
    eventsAddress: config.EVENTS_SERVICE_ADDRESS,
    servingAddress: config.SERVING_SERVICE_ADDRESS,
  });
  const explainCampaign = makeExplainCampaign({
    explanations,
    hasCampaign: makeHasCampaign(pool),
    clock: scope.clock,
  });
  return {
    explanations,
    routes: explainRoutes({ explainCampaign, explanations, currency: config.CURRENCY }),
  };
}
