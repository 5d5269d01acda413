import type { Tokens } from '@placard/service-kit';
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
import type { AdRequest, Slot } from '../domain/ad-request.js';
import type { FillTime } from '../domain/budget.js';
import { TEST_ADVERTISER_ID, TEST_CAMPAIGN_ID } from '../domain/test-ad.js';

/** An ad that is answered. Specification: "Ad (inside a fill)". */
export interface Fill {
  readonly adId: AdId;
  readonly creative: Creative;
  readonly impressionToken: string;
  /** What the token says. */
  readonly claims: ImpressionClaims;
}

/** What is shown; a null campaign is the built-in test ad. */
export interface Shown {
  readonly creative: Creative;
  readonly campaign: Campaign | null;
}

/** The request that is filled. */
export interface FilledRequest {
  readonly requestId: RequestId;
  readonly request: AdRequest;
  readonly session: SessionClaims;
  readonly slot: Slot;
  readonly time: FillTime;
}

/** Makes the ad with its single-use token; cost and share are fixed here for good. Rulings: "Answers are final". */
export async function makeFill(
  deps: { readonly random: Random; readonly impressionTokens: Pick<Tokens<ImpressionClaims>, 'seal'> },
  filled: FilledRequest,
  shown: Shown,
): Promise<Fill> {
  const claims = claimsFor(filled, shown);
  const impressionToken = await deps.impressionTokens.seal(claims);
  const adId = makeAdId(filled.time.filledAtMs, deps.random);
  return { adId, creative: shown.creative, impressionToken, claims };
}

function claimsFor(filled: FilledRequest, { creative, campaign }: Shown): ImpressionClaims {
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
    costNanos,
    publisherNanos: splitRevenue(costNanos, slot.publisher.revenueShareBp).publisherNanos,
    bannerRefreshSeconds: slot.placement.bannerRefreshSeconds,
    isTest: slot.isTest,
    filledAtMs: time.filledAtMs,
    expiresAtMs: time.expiresAtMs,
  };
}
