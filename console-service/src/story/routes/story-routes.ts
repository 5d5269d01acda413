import type { StoryEvent } from '@placard/protos/events/v1/events.js';
import { MINUTE_MS, toIso } from '@placard/service-kit/pure';
import { isoOrNull } from '../../domain/iso-or-null.js';
import { accountKindOnWire } from '@placard/service-kit/wire';
import { textOrNull } from '../../domain/text-or-null.js';
import { accountText } from '../../accounts/domain/account-name.js';
import type { RoutesOf, Schemas } from '../../manage/domain/operations.js';
import { callbackIdOf, type CallbackRow } from '../../rewards/domain/reward-callback.js';
import type { ExplainedRequest, Story, TracedRequest, TraceRequest } from '../usecase/trace-request.js';

/** What the routes need. */
export interface StoryRoutesDeps {
  readonly traceRequest: TraceRequest;
  /** A code of ISO 4217. */
  readonly currency: string;
}

/** What became of one request. */
export function storyRoutes({ traceRequest, currency }: StoryRoutesDeps): RoutesOf<'traceRequest'> {
  return {
    traceRequest: async ({ path: { id } }) => ({ body: toStory(id, await traceRequest(id), currency) }),
  };
}

function toStory(
  requestId: string,
  { story, answer, callback }: TracedRequest,
  currency: string,
): Schemas['Story'] {
  const { events, booking, lease, refused, isRefusedUnknown, isDropped } = story;
  return {
    request_id: requestId,
    currency,
    answer: answer === null ? null : toAnswer(answer),
    events: events.map(toEvent),
    booking: booking === undefined ? null : toBooking(booking),
    lease: lease === undefined ? null : toLease(lease),
    reward_callback: callback === null ? null : toCallback(callback),
    refused: refused.map(({ event, rule, atMs }) => ({ event, rule, at: iso(atMs) })),
    is_refused_unknown: isRefusedUnknown,
    is_dropped: isDropped,
  };
}

function toAnswer({ atMs, appId, placement, result, winner }: ExplainedRequest): Schemas['StoryAnswer'] {
  return { at: iso(atMs), app: appId, placement, result, winner: textOrNull(winner) };
}

function toEvent(event: StoryEvent): Schemas['StoryEvent'] {
  const isImpression = event.type === 'impression';
  return {
    type: event.type,
    verdict: event.verdict,
    rule: textOrNull(event.rule),
    is_test: event.isTest,
    arrived_at: iso(event.arrivedAtMs),
    settled_at: isoOrNull(event.settledAtMs),
    publisher: event.publisherId,
    app: event.appId,
    placement: event.placement,
    format: event.format,
    country: textOrNull(event.country),
    advertiser: event.advertiserId,
    campaign: event.campaignId,
    creative: event.creativeId,
    price: isImpression ? event.cost : null,
    publisher_share: isImpression ? event.publisherShare : null,
    completion: event.completion ?? null,
    trace_id: textOrNull(event.traceparent.split('-')[1] ?? ''),
  };
}

function toBooking({ bookedAtMs, entries }: NonNullable<Story['booking']>): Schemas['StoryBooking'] {
  return {
    booked_at: iso(bookedAtMs),
    entries: entries.map(({ kind, accountId: id, amount }) => ({
      account: accountText({ kind: accountKindOnWire.fromWire(kind) ?? 'unknown', id }),
      amount,
    })),
  };
}

function toLease({ run, minute, closedAtMs }: NonNullable<Story['lease']>): Schemas['StoryLease'] {
  return { run, minute: toIso(Number(minute) * MINUTE_MS), closed_at: isoOrNull(closedAtMs) };
}

function toCallback(row: CallbackRow): Schemas['StoryRewardCallback'] {
  const { requestId, status, attempts, fault, deliveredAtMs } = row;
  return { id: callbackIdOf(requestId), status, attempts, fault, delivered_at: isoOrNull(deliveredAtMs) };
}

function iso(atMs: bigint): string {
  return toIso(Number(atMs));
}
