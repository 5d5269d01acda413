import type { FetchStory, Story } from '../clients/stories.js';

export type { Story };

/** Reads what is stored of a request. Its errors are those of {@link FetchStory}. */
export type TraceRequest = (requestId: string) => Promise<Story>;

/** Makes {@link TraceRequest}. */
export function makeTraceRequest(fetchStory: FetchStory): TraceRequest {
  return (requestId) => fetchStory(requestId);
}
