import { appError } from '@placard/service-kit';
import { adFormatToWire } from '@placard/service-kit/wire';
import { toIso, type FallbackProvider, type NoFillReason } from '@placard/service-kit/pure';
import type { Fill, RequestAdRequest, RequestAdResponse } from '@placard/protos/serving/v1/serving.js';
import {
  presentText,
  REFINING_TEXTS,
  type Ad,
  type AdAnswer,
  type AdRequestBody,
  type RefiningText,
} from '../domain/bodies.js';
import { nameOf } from './wire.js';

/** Data of an ad request that the gateway adds. */
export interface RequestOrigin {
  /** ISO 3166-1 alpha-2. Null: unknown. */
  readonly country: string | null;
  /** The address under which the client reached the product. */
  readonly publicBaseUrl: string;
  /** Milliseconds since the request arrived. */
  readonly waitedMs: number;
}

/** A message with all of its fields, so that a missing field is a compile error. */
type Complete<Message> = { [Name in keyof Required<Message>]: Message[Name] };

/** Encodes a valid body with the data of the gateway. */
export function adRequestToWire(body: AdRequestBody, origin: RequestOrigin): Complete<RequestAdRequest> {
  return {
    appKey: body.app_key,
    placement: body.placement,
    format: adFormatToWire(body.format),
    sessionToken: body.session_token,
    ...refiningTexts(body),
    screenWidth: body.screen_width ?? undefined,
    screenHeight: body.screen_height ?? undefined,
    testMode: body.test_mode ?? false,
    testForceNoFill: body.test_force_no_fill ?? false,
    country: origin.country ?? undefined,
    publicBaseUrl: origin.publicBaseUrl,
    appVersion: presentText(body.app_version),
    sdkVersion: presentText(body.sdk_version),
    waitedMs: Math.max(0, Math.round(origin.waitedMs)),
  };
}

/** `androidVersion` for `android_version`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

const REFINING_NAMES = REFINING_TEXTS.map(
  (name) => [name, name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())] as const,
);

function refiningTexts(body: AdRequestBody): Record<CamelCase<RefiningText>, string | undefined> {
  return Object.fromEntries(
    REFINING_NAMES.map(([name, wireName]) => [wireName, presentText(body[name])]),
  ) as ReturnType<typeof refiningTexts>;
}

/**
 * Decodes an answer. Error `server_error` when it has no result or lacks a value. An ad of a newer release, which no
 * client here can show, is a no-fill; it counts until it expires.
 */
export function adAnswerFromWire({ requestId, result }: RequestAdResponse): AdAnswer {
  switch (result?.$case) {
    case 'fill': {
      const ad = adFromWire(result.value);
      return ad === null
        ? noFill(requestId, 'none', 'no_eligible_campaign')
        : { status: 'fill', request_id: requestId, ad };
    }
    case 'noFill':
      return noFill(
        requestId,
        nameOf.provider(result.value.fallback),
        nameOf.noFillReason(result.value.reason),
      );
    case undefined:
      throw appError('server_error', 'serving-service sent neither a fill nor a no-fill.');
  }
}

function noFill(requestId: string, fallback: FallbackProvider, reason: NoFillReason): AdAnswer {
  return { status: 'no_fill', request_id: requestId, fallback, reason };
}

/** Null: the ad has a format or type of a newer release. */
function adFromWire(fill: Fill): Ad | null {
  const [format, creativeType] = [nameOf.format(fill.format), nameOf.creativeType(fill.creativeType)];
  if (format === null || creativeType === null) return null;
  return {
    id: fill.adId,
    campaign_id: fill.campaignId,
    creative_id: fill.creativeId,
    format,
    creative_type: creativeType,
    creative_url: fill.creativeUrl,
    click_url: fill.clickUrl,
    width: fill.width ?? null,
    height: fill.height ?? null,
    duration_seconds: fill.durationSeconds ?? null,
    impression_token: fill.impressionToken,
    expires_at: toIso(Number(fill.expiresAtMs)),
    test: fill.test,
  };
}
