import type { Tokens } from '@placard/service-kit/tokens';
import {
  makeAdId,
  splitRevenue,
  type AdId,
  type Campaign,
  type Creative,
  type ImpressionClaims,
  type Random,
  type RequestId,
  type SessionClaims,
} from '@placard/service-kit/pure';
import type { AdRequest, FillTime, Slot } from '../../domain/ad-request.js';
import { atPublicAddress } from '../domain/public-address.js';
import { TEST_ADVERTISER_ID, TEST_CAMPAIGN_ID } from '../domain/test-ad.js';

/** A fill with its ad. Contract: docs/contract/sdk-api.md#ad. */
export interface Fill {
  readonly adId: AdId;
  readonly creative: Creative;
  readonly impressionToken: string;
  /** The content of the token. */
  readonly claims: ImpressionClaims;
}

/** The creative of a fill, and the replica run whose lease pays for it. */
export interface Shown {
  readonly creative: Creative;
  /** Null: the built-in test ad. */
  readonly campaign: Campaign | null;
  /** Empty: a test ad, which is free. */
  readonly leaseRun: string;
}

/** The request of a fill. */
export interface FilledRequest {
  readonly requestId: RequestId;
  readonly request: AdRequest;
  readonly session: SessionClaims;
  readonly slot: Slot;
  readonly time: FillTime;
}

/** Dependencies of a fill. */
export interface MakeFillDeps {
  readonly random: Random;
  readonly impressionTokens: Pick<Tokens<ImpressionClaims>, 'seal'>;
  /** W3C `traceparent` of the running step; null: the request is not traced. */
  readonly traceparent: () => string | null;
}

/**
 * Makes the ad with its single-use token. The token fixes the price and the publisher's share.
 * Contract: docs/contract/final-answers.md#judged-by-the-token.
 */
export function makeFill(deps: MakeFillDeps, filled: FilledRequest, shown: Shown): Fill {
  const claims = claimsFor(filled, shown, deps.traceparent());
  const impressionToken = deps.impressionTokens.seal(claims);
  const adId = makeAdId(filled.time.filledAtMs, deps.random);
  const creative = atPublicAddress(shown.creative, filled.request.publicBaseUrl);
  return { adId, creative, impressionToken, claims };
}

function claimsFor(
  filled: FilledRequest,
  { creative, campaign, leaseRun }: Shown,
  traceparent: string | null,
): ImpressionClaims {
  const { requestId, request, session, slot, time } = filled;
  const costNanos = campaign?.costNanos ?? 0n;
  return {
    requestId,
    sessionId: session.sessionId,
    sessionExpiresAtMs: session.expiresAtMs,
    appId: slot.app.id,
    publisherId: slot.publisher.id,
    placement: slot.placement.code,
    format: slot.placement.format,
    country: request.country,
    campaignId: campaign?.id ?? TEST_CAMPAIGN_ID,
    creativeId: creative.id,
    advertiserId: campaign?.advertiserId ?? TEST_ADVERTISER_ID,
    leaseRun,
    traceparent,
    costNanos,
    publisherNanos: splitRevenue(costNanos, slot.publisher.revenueShareBp).publisherNanos,
    bannerRefreshSeconds: slot.placement.bannerRefreshSeconds,
    isTest: slot.isTest,
    filledAtMs: time.filledAtMs,
    expiresAtMs: time.expiresAtMs,
  };
}
