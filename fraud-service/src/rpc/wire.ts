import { appError } from '@placard/service-kit';
import { adFormatFromWire } from '@placard/service-kit/wire';
import { asAppId, asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import {
  EventType,
  type EventToJudge as WireEvent,
  type JudgeAdRequestRequest,
  type SuspiciousEvent as WireSuspiciousEvent,
} from '@placard/protos/fraud/v1/fraud.js';
import type { SuspiciousEvent } from '../domain/suspicious-event.js';
import type { AdRequest, EventToJudge } from '../domain/traffic.js';

/** Longest id or name. It is also the longest part of a Redis key that a caller provides. */
const TEXT_CHARS_MAX = 128;

/** Decodes an ad request. Error `invalid_argument`. */
export function fromAdRequest(request: JudgeAdRequestRequest): AdRequest {
  return {
    type: 'ad_request',
    requestId: asRequestId(text(request.requestId, 'request_id')),
    sessionId: asSessionId(text(request.sessionId, 'session_id')),
    arrivedAtMs: instant(request.atMs, 'at_ms'),
  };
}

/** Decodes an event. Error `invalid_argument`. */
export function fromEventToJudge(event: WireEvent): EventToJudge {
  const common = {
    requestId: asRequestId(text(event.requestId, 'request_id')),
    sessionId: asSessionId(text(event.sessionId, 'session_id')),
    sessionExpiresAtMs: instant(event.sessionExpiresAtMs, 'session_expires_at_ms'),
    appId: asAppId(text(event.appId, 'app_id')),
    placement: asPlacementCode(text(event.placement, 'placement')),
    arrivedAtMs: instant(event.arrivedAtMs, 'arrived_at_ms'),
  };
  if (event.type === EventType.CLICK) {
    const impressionArrivedAtMs = instant(event.impressionArrivedAtMs, 'impression_arrived_at_ms');
    return { ...common, type: 'click', impressionArrivedAtMs };
  }
  if (event.type !== EventType.IMPRESSION) throw wrong('type');
  const format = adFormatFromWire(event.format);
  if (format === null) throw wrong('format');
  if (format === 'banner' && event.bannerRefreshSeconds < 1) throw wrong('banner_refresh_seconds');
  return { ...common, type: 'impression', format, bannerRefreshSeconds: event.bannerRefreshSeconds };
}

/** Decodes a suspicious event. Error `invalid_argument`. */
export function fromSuspiciousEvent(event: WireSuspiciousEvent): SuspiciousEvent {
  const optional = <Id>(value: string | undefined, name: string, cast: (id: string) => Id): Id | null =>
    value === undefined ? null : cast(text(value, name));
  return {
    rule: text(event.rule, 'rule'),
    event: text(event.event, 'event'),
    appId: asAppId(text(event.appId, 'app_id')),
    placement: optional(event.placement, 'placement', asPlacementCode),
    sessionId: optional(event.sessionId, 'session_id', asSessionId),
    requestId: optional(event.requestId, 'request_id', asRequestId),
    atMs: instant(event.atMs, 'at_ms'),
  };
}

function wrong(name: string): Error {
  return appError('invalid_argument', `${name} is missing or wrong.`);
}

function text(value: string, name: string): string {
  // Postgres accepts no NUL in a text.
  if (value === '' || value.length > TEXT_CHARS_MAX || value.includes('\0')) throw wrong(name);
  return value;
}

function instant(value: bigint | undefined, name: string): number {
  if (value === undefined || value <= 0n || value > INSTANT_MAX) throw wrong(name);
  return Number(value);
}

/** The last instant of a Date. It is far below the range where a double would lose milliseconds. */
const INSTANT_MAX = 8_640_000_000_000_000n;
