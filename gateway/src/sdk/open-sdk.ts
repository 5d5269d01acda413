import type { Kind, Scope } from '@placard/service-kit';
import type { Router } from 'express';
import type { GatewayConfig } from '../config.js';
import type { ApiDescription } from '../domain/api-description.js';
import { openErrorReports } from './clients/error-reports.js';
import { openEventsClient } from './clients/events.js';
import { watchPeerHealth } from './clients/peer-health.js';
import { openServingClient } from './clients/serving.js';
import { openSessionClient } from './clients/session.js';
import { makeAdsRequestEndpoint } from './routes/ads-request.js';
import {
  makeClickEndpoint,
  makeFallbackEndpoint,
  makeImpressionEndpoint,
  makeRewardEndpoint,
} from './routes/events.js';
import { makeInitializeEndpoint } from './routes/initialize.js';
import { kindsOf, makeSdkRouter, type SdkRouterDeps } from './routes/sdk.js';
import { makeOwnTurn } from '../overload/middleware/own-turn.js';
import { watchArrivals } from '../overload/middleware/watch-arrivals.js';

/** The SDK API. */
export interface Sdk {
  readonly router: Router;
  /** How important the requests of each path are. */
  readonly kinds: ReadonlyMap<string, Kind>;
}

/** Opens the clients of the services and makes the endpoints of the SDK API. */
export function openSdk(
  scope: Scope,
  config: GatewayConfig,
  description: ApiDescription,
  deps: Omit<SdkRouterDeps, 'ownTurn' | 'waitedMs' | 'errors'>,
): Sdk {
  const session = { name: 'session-service', address: config.SESSION_SERVICE_ADDRESS };
  const serving = { name: 'serving-service', address: config.SERVING_SERVICE_ADDRESS };
  const events = { name: 'events-service', address: config.EVENTS_SERVICE_ADDRESS };
  for (const peer of [session, serving, events]) watchPeerHealth(scope, peer);
  const eventsClient = openEventsClient(scope, events);
  const endpoints = [
    makeInitializeEndpoint(openSessionClient(scope, session)),
    makeAdsRequestEndpoint(openServingClient(scope, serving)),
    makeImpressionEndpoint(eventsClient),
    makeClickEndpoint(eventsClient),
    makeRewardEndpoint(eventsClient),
    makeFallbackEndpoint(eventsClient),
  ];
  const router = makeSdkRouter(description, endpoints, {
    ...deps,
    ownTurn: makeOwnTurn(scope),
    waitedMs: scope.once(watchArrivals),
    errors: openErrorReports(scope, events),
  });
  return { router, kinds: kindsOf(endpoints) };
}
