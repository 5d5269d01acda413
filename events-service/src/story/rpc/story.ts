import {
  StoryServiceService,
  type GetStoryResponse,
  type StoryEvent,
} from '@placard/protos/events/v1/events.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { formatNanos } from '@placard/service-kit/pure';
import { accountKindOnWire } from '@placard/service-kit/wire';
import type { StoredEvent } from '../domain/story.js';
import type { GetStory, Story } from '../usecase/get-story.js';

/** StoryService on the wire. Contract: docs/contract/operator-interface.md#trace. */
export function implementStoryService(getStory: GetStory): ImplementedService {
  return implementService(StoryServiceService, {
    getStory: async ({ requestId }) => toWire(await getStory(requestId)),
  });
}

function toWire({ events, booking, lease, refused, isDropped }: Story): GetStoryResponse {
  return {
    events: events.map(toWireEvent),
    booking:
      booking === null
        ? undefined
        : {
            bookedAtMs: BigInt(booking.bookedAtMs),
            entries: booking.entries.map(({ kind, id, amountNanos }) => ({
              kind: accountKindOnWire.toWire(kind),
              accountId: id,
              amount: formatNanos(amountNanos),
            })),
          },
    lease:
      lease === null
        ? undefined
        : {
            run: lease.run,
            minute: BigInt(lease.minute),
            expiresAtMs: BigInt(lease.expiresAtMs),
            closedAtMs: orAbsent(lease.closedAtMs),
          },
    refused: (refused ?? []).map(({ rule, event, atMs }) => ({ rule, event, atMs: BigInt(atMs) })),
    isRefusedUnknown: refused === null,
    isDropped,
  };
}

function toWireEvent(event: StoredEvent): StoryEvent {
  return {
    type: event.type,
    verdict: event.verdict,
    rule: event.rule ?? '',
    isTest: event.isTest,
    arrivedAtMs: BigInt(event.arrivedAtMs),
    settledAtMs: orAbsent(event.settledAtMs),
    publisherId: event.publisherId,
    appId: event.appId,
    placement: event.placement,
    format: event.format,
    country: event.country ?? '',
    advertiserId: event.advertiserId,
    campaignId: event.campaignId,
    creativeId: event.creativeId,
    cost: formatNanos(event.costNanos),
    publisherShare: formatNanos(event.publisherNanos),
    completion: event.completion ?? undefined,
    traceparent: event.traceparent ?? '',
  };
}

function orAbsent(atMs: number | null): bigint | undefined {
  return atMs === null ? undefined : BigInt(atMs);
}
