import type { EventsClient } from '../clients/events.js';
import type { AdEventBody, FallbackEventBody, RewardEventBody } from '../domain/bodies.js';
import { answerOfVerdict } from '../domain/event-answer.js';
import type { LimitKey } from '../../limits/domain/rate-limits.js';
import type { Endpoint } from './endpoint.js';

/** The token counts too, because clients choose the request ids, and each invented id would have a fresh bucket. */
function fillKeys(body: AdEventBody): readonly LimitKey[] {
  return [
    { dimension: 'request_id', value: body.request_id },
    { dimension: 'request_id', value: body.impression_token },
  ];
}

/** Contract: docs/contract/sdk-api.md#post-eventsimpression. */
export function makeImpressionEndpoint(events: EventsClient): Endpoint<AdEventBody> {
  return {
    path: '/events/impression',
    limits: 'events',
    kind: 'events',
    keysOf: fillKeys,
    adOf: (body) => body.request_id,
    handle: async (body, { call }) => answerOfVerdict(await events.recordImpression(body, call)),
  };
}

/** Contract: docs/contract/sdk-api.md#post-eventsclick. */
export function makeClickEndpoint(events: EventsClient): Endpoint<AdEventBody> {
  return {
    path: '/events/click',
    limits: 'events',
    kind: 'events',
    keysOf: fillKeys,
    adOf: (body) => body.request_id,
    handle: async (body, { call }) => answerOfVerdict(await events.recordClick(body, call)),
  };
}

/** Contract: docs/contract/sdk-api.md#post-eventsreward. */
export function makeRewardEndpoint(events: EventsClient): Endpoint<RewardEventBody> {
  return {
    path: '/events/reward',
    limits: 'events',
    kind: 'events',
    keysOf: fillKeys,
    adOf: (body) => body.request_id,
    handle: async (body, { call }) =>
      answerOfVerdict(await events.recordReward(body, call), { rewarded: body.completion }),
  };
}

/** Contract: docs/contract/sdk-api.md#post-eventsfallback. */
export function makeFallbackEndpoint(events: EventsClient): Endpoint<FallbackEventBody> {
  return {
    path: '/events/fallback',
    limits: 'events.fallback',
    kind: 'events',
    keysOf: (body) => [{ dimension: 'session', value: body.session_token }],
    async handle(body, { call, origin }) {
      await events.recordFallback(body, origin.country(), call);
      return answerOfVerdict('accepted');
    },
  };
}
