import { appError } from '@placard/service-kit';
import { asAppId, asPlacementCode, asRequestId, asSessionId } from '@placard/service-kit/pure';
import { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import {
  EventType,
  SuspiciousKey as WireKey,
  type CountSuspiciousEventsRequest,
  type EventToJudge as WireEvent,
  type FindSuspiciousEventsRequest,
  type JudgeAdRequestRequest,
  type SuspiciousEvent as WireSuspiciousEvent,
  type SuspiciousRow as WireRow,
} from '@placard/protos/fraud/v1/fraud.js';
import type { FindQuery, SuspiciousEvent } from '../domain/suspicious-event.js';
import type { SuspiciousKey, SuspiciousQuery, SuspiciousRow } from '../domain/suspicious-report.js';
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

/**
 * Decodes an event. Null: a type of a newer release, which no rule of this release judges. An impression with a format
 * of a newer release counts as one of a full-screen format. Error `invalid_argument`.
 * Contract: docs/contract/newer-values.md#between-services.
 */
export function fromEventToJudge(event: WireEvent): EventToJudge | null {
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
  // The type is wider than its enum: a newer release may send other numbers.
  const type: number = event.type;
  if (type === EventType.UNSPECIFIED) throw wrong('type');
  if (type !== EventType.IMPRESSION) return null;
  if (event.format === AdFormat.UNSPECIFIED) throw wrong('format');
  const isBanner = event.format === AdFormat.BANNER;
  if (isBanner && event.bannerRefreshSeconds < 1) throw wrong('banner_refresh_seconds');
  return { ...common, type: 'impression', isBanner, bannerRefreshSeconds: event.bannerRefreshSeconds };
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

/** Decodes a search for the entries of an ad. Error `invalid_argument`. */
export function fromFindRequest({ requestId, fromMs, toMs }: FindSuspiciousEventsRequest): FindQuery {
  return {
    requestId: asRequestId(text(requestId, 'request_id')),
    fromMs: instant(fromMs, 'from_ms'),
    toMs: instant(toMs, 'to_ms'),
  };
}

const KEYS: ReadonlyMap<WireKey, SuspiciousKey> = new Map([
  [WireKey.RULE, 'rule'],
  [WireKey.APP, 'app'],
  [WireKey.PLACEMENT, 'placement'],
  [WireKey.SESSION, 'session'],
]);

/** Decodes a report of suspicious events. Error `invalid_argument`. */
export function fromCountRequest(request: CountSuspiciousEventsRequest): SuspiciousQuery {
  return {
    by: request.by.map((key) => {
      const known = KEYS.get(key);
      if (known === undefined) throw wrong('by');
      return known;
    }),
    fromMs: Number(request.fromMs),
    toMs: instant(request.toMs, 'to_ms'),
    rule: request.rule === undefined ? null : text(request.rule, 'rule'),
    appId: request.appId === undefined ? null : asAppId(text(request.appId, 'app_id')),
  };
}

/** Encodes a row of a report of suspicious events. */
export function toSuspiciousRow({ keys, events, entries, firstAtMs, lastAtMs }: SuspiciousRow): WireRow {
  return {
    keys: [...keys],
    events: events ?? undefined,
    entries,
    firstAtMs: firstAtMs === null ? undefined : BigInt(firstAtMs),
    lastAtMs: lastAtMs === null ? undefined : BigInt(lastAtMs),
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
