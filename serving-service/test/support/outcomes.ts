import {
  type FillFate,
  type FillOutcome,
  type RequestAdResponse,
} from '@placard/protos/serving/v1/serving.js';
import { fillOf, type Running } from './running.js';

/** `fill`, or the number of the no-fill reason. */
export function outcomeOf(response: RequestAdResponse): string {
  if (response.result === undefined) return 'nothing';
  return response.result.$case === 'fill' ? 'fill' : String(response.result.value.reason);
}

/** How many answers have this outcome. */
export function count(responses: readonly RequestAdResponse[], outcome: string): number {
  return responses.filter((response) => outcomeOf(response) === outcome).length;
}

/** The outcome that events-service would send for an accepted or suspicious impression. */
export function fillOutcome(running: Running, response: RequestAdResponse, fate: FillFate): FillOutcome {
  const claims = running.openImpression(fillOf(response).impressionToken);
  if (claims === null) throw new Error('token does not open');
  return {
    fate,
    requestId: claims.requestId,
    sessionId: claims.sessionId,
    sessionExpiresAtMs: BigInt(claims.sessionExpiresAtMs),
    appId: claims.appId,
    placement: claims.placement,
    campaignId: claims.campaignId,
    advertiserId: claims.advertiserId,
    costNanos: claims.costNanos,
    filledAtMs: BigInt(claims.filledAtMs),
    expiresAtMs: BigInt(claims.expiresAtMs),
    test: claims.isTest,
  };
}
