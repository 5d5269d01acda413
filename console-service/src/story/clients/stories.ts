import { StoryServiceService, type GetStoryResponse } from '@placard/protos/events/v1/events.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';

/** What is stored of one ad. */
export type Story = GetStoryResponse;

/**
 * Requests what is stored of an ad from events-service. Errors: `invalid_argument` (the text has not the form of a request
 * id), `unavailable`, `deadline_exceeded`.
 */
export type FetchStory = (requestId: string) => Promise<Story>;

const BUDGET_MS = 15_000;

/** Opens the client of events-service's StoryService. */
export function openStories(scope: Scope, address: string): FetchStory {
  const client = openGrpcClient(scope, StoryServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return (requestId) => client.getStory({ requestId });
}
