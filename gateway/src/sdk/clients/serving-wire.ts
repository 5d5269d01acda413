import { appError } from '@placard/service-kit';
import { adFormatToWire } from '@placard/service-kit/wire';
import { toIso } from '@placard/service-kit/pure';
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

/** Decodes an answer. Throws `server_error` when it has no result or an unknown code. */
export function adAnswerFromWire({ requestId, result }: RequestAdResponse): AdAnswer {
  switch (result?.$case) {
    case 'fill':
      return { status: 'fill', request_id: requestId, ad: adFromWire(result.value) };
    case 'noFill':
      return {
        status: 'no_fill',
        request_id: requestId,
        fallback: nameOf.provider(result.value.fallback),
        reason: nameOf.noFillReason(result.value.reason),
      };
    case undefined:
      throw appError('server_error', 'serving-service sent neither a fill nor a no-fill.');
  }
}

function adFromWire(fill: Fill): Ad {
  return {
    id: fill.adId,
    campaign_id: fill.campaignId,
    creative_id: fill.creativeId,
    format: nameOf.format(fill.format),
    creative_type: nameOf.creativeType(fill.creativeType),
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
