import type { Scope } from '@placard/service-kit';
import type { Pool } from '@placard/service-kit/postgres';
import type { ExplainRequests } from '../explain/usecase/explain-requests.js';
import { makePgCallbackStore } from '../rewards/store/callbacks.pg.js';
import { openStories } from './clients/stories.js';
import { makeTraceRequest, type TraceRequest } from './usecase/trace-request.js';

/** What the stories are opened with. */
export interface StoryOptions {
  readonly pool: Pool;
  /** Of events-service, `host:port`. */
  readonly eventsAddress: string;
  readonly explanations: Pick<ExplainRequests, 'request'>;
}

/** Opens the stories of requests: answer and events from events-service, and the callback of a reward from Postgres. */
export function openStory(scope: Scope, { pool, eventsAddress, explanations }: StoryOptions): TraceRequest {
  return makeTraceRequest({
    fetchStory: openStories(scope, eventsAddress),
    explanations,
    callbacks: makePgCallbackStore(pool),
  });
}
