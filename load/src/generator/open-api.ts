import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Chance } from '../chance.js';
import type { Market } from '../market/market.js';
import type { Api } from './api.js';
import { openEventsApi, openFraudApi, openServingApi, openSessionApi } from './grpc-apis.js';
import { openHttpApi } from './http-api.js';
import type { Assignment } from './messages.js';
import { openPlainApi } from './plain-api.js';
import { calledSupply, sealedSupply, tokenlessSupply, type Supply } from './supply.js';

/** gRPC connections to one service. */
const GRPC_CONNECTIONS = 8;

/** Opens the API of a target. */
export function openApi({ target, address, timeoutMs, acceptsGzip }: Assignment): Api {
  const grpc = { address, connections: GRPC_CONNECTIONS };
  switch (target) {
    case 'gateway':
    case 'skeleton':
      return openHttpApi({ address, timeoutMs, acceptsGzip });
    case 'plain':
      return openPlainApi({ address, timeoutMs, acceptsGzip });
    case 'session':
      return openSessionApi(grpc);
    case 'serving':
      return openServingApi(grpc);
    case 'events':
      return openEventsApi(grpc);
    case 'fraud':
      return openFraudApi(grpc);
  }
}

/** The supply of unmeasured sessions and ads. Throws an `Error` that names what is missing. */
export function openSupply(
  assignment: Assignment,
  parts: { api: Api; market: Market; chance: Chance },
): Supply {
  const { target, keys, sessionAddress, servingAddress } = assignment;
  const { api, market, chance } = parts;
  if (target === 'fraud' || target === 'skeleton' || target === 'plain' || target === 'session') {
    return { ...tokenlessSupply(), ...(target === 'fraud' ? {} : { makeFill: null }) };
  }
  if (keys !== null) {
    const sealed = sealedSupply(keys, {
      market,
      chance,
      adMs: assignment.adMs,
      eventsAddress: target === 'events' ? assignment.address : null,
    });
    // At the gateway an impression follows a real fill, so that budgets stay correct.
    return target === 'events' ? sealed : { ...sealed, makeFill: null };
  }
  if (target === 'gateway') return calledSupply(api, null);
  if (sessionAddress === null || (target === 'events' && servingAddress === null)) {
    throw new Error(
      `${target} needs tokens: set SESSION_TOKEN_KEYS and IMPRESSION_TOKEN_KEYS to the product’s, or ` +
        'SESSION_SERVICE_ADDRESS and SERVING_SERVICE_ADDRESS to services that issue real ones.',
    );
  }
  const session = openSessionApi({ address: sessionAddress, connections: 1 });
  const serving =
    servingAddress === null ? null : openServingApi({ address: servingAddress, connections: 1 });
  return calledSupply(session, target === 'events' ? serving : null);
}

/** Reads a catalog file, generated or the operator's. */
export function readMarket(file: string): Market {
  const text = readFileSync(file, 'utf8');
  const market = (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as Partial<Market>;
  const { publishers = [], advertisers = [] } = market;
  return { publishers, advertisers };
}
