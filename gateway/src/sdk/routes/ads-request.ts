import type { ServingClient } from '../clients/serving.js';
import type { AdRequestBody } from '../domain/bodies.js';
import type { Endpoint } from './endpoint.js';

/** Contract: docs/contract/sdk-api.md#post-adsrequest. */
export function makeAdsRequestEndpoint(serving: ServingClient): Endpoint<AdRequestBody> {
  return {
    path: '/ads/request',
    limits: 'ads.request',
    kind: 'ads',
    keysOf: (body) => [
      { dimension: 'session', value: body.session_token },
      { dimension: 'app_key', value: body.app_key },
    ],
    async handle(body, { call, origin, arrivedAt }) {
      const from = {
        country: origin.country(),
        publicBaseUrl: origin.publicBaseUrl(),
        waitedMs: Date.now() - arrivedAt,
      };
      const answer = await serving.requestAd(body, from, call);
      return { status: 200, outcome: answer.status, body: answer };
    },
  };
}
