import { appError } from '@placard/service-kit';
import {
  adFormatFromWire,
  adFormatToWire,
  creativeTypeToWire,
  fallbackProviderToWire,
  noFillReasonOnWire,
} from '@placard/service-kit/wire';
import {
  asAppId,
  asAppKey,
  asCampaignId,
  asPlacementCode,
  asRequestId,
  asSessionId,
} from '@placard/service-kit/pure';
import { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import {
  FillFate,
  type Fill as WireFill,
  type FillOutcome,
  type RequestAdRequest,
  type RequestAdResponse,
} from '@placard/protos/serving/v1/serving.js';
import { refiningTexts, type AdRequest, type RefiningText } from '../domain/ad-request.js';
import type { Fill } from '../ads/usecase/make-fill.js';
import type { AdAnswer } from '../ads/usecase/request-ad.js';
import type { FillOutcomeNote } from '../caps/usecase/settle-caps.js';

/**
 * Decodes an ad request. Errors: `invalid_argument` when it names no format, `format_mismatch` for a format of a newer
 * release, which no placement of this release has.
 */
export function fromRequest(request: RequestAdRequest): AdRequest {
  const format = adFormatFromWire(request.format);
  if (format === null) {
    if (request.format === AdFormat.UNSPECIFIED)
      throw appError('invalid_argument', 'The request names no format.');
    throw appError('format_mismatch', 'The placement has another format.');
  }
  return {
    appKey: asAppKey(request.appKey),
    placement: asPlacementCode(request.placement),
    format,
    ...refiningTexts(request satisfies Pick<RequestAdRequest, RefiningText>),
    screenWidth: request.screenWidth ?? null,
    screenHeight: request.screenHeight ?? null,
    isTestMode: request.testMode,
    isNoFillForced: request.testForceNoFill,
    publicBaseUrl: request.publicBaseUrl,
    appVersion: request.appVersion ?? null,
    sdkVersion: request.sdkVersion ?? null,
  };
}

/** Encodes an answer. */
export function toResponse({ requestId, result }: AdAnswer): RequestAdResponse {
  if (result.kind === 'fill') return { requestId, result: { $case: 'fill', value: toFill(result.fill) } };
  const { fallback, reason } = result.noFill;
  return {
    requestId,
    result: {
      $case: 'noFill',
      value: { fallback: fallbackProviderToWire(fallback), reason: noFillReasonOnWire.toWire(reason) },
    },
  };
}

function toFill({ adId, creative, impressionToken, claims }: Fill): WireFill {
  return {
    adId,
    campaignId: claims.campaignId,
    creativeId: creative.id,
    format: adFormatToWire(creative.format),
    creativeType: creativeTypeToWire(creative.type),
    creativeUrl: creative.url,
    clickUrl: creative.clickUrl,
    width: creative.width ?? undefined,
    height: creative.height ?? undefined,
    durationSeconds: creative.durationSeconds ?? undefined,
    impressionToken,
    expiresAtMs: BigInt(claims.expiresAtMs),
    test: claims.isTest,
  };
}

/** Decodes the outcome of a fill. Null: an outcome of a newer release. */
export function fromOutcome(outcome: FillOutcome): FillOutcomeNote | null {
  const known = knownOutcome(outcome.fate);
  if (known === null) return null;
  return {
    outcome: known,
    requestId: asRequestId(outcome.requestId),
    sessionId: asSessionId(outcome.sessionId),
    sessionExpiresAtMs: Number(outcome.sessionExpiresAtMs),
    appId: asAppId(outcome.appId),
    placement: asPlacementCode(outcome.placement),
    campaignId: asCampaignId(outcome.campaignId),
    filledAtMs: Number(outcome.filledAtMs),
    isTest: outcome.test,
  };
}

function knownOutcome(fate: FillFate): FillOutcomeNote['outcome'] | null {
  switch (fate) {
    case FillFate.SHOWN:
      return 'shown';
    case FillFate.SUSPICIOUS:
      return 'suspicious';
    default:
      return null;
  }
}
