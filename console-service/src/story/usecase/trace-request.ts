import type { CallbackRow } from '../../rewards/domain/reward-callback.js';
import type { CallbackStore } from '../../rewards/store/callbacks.js';
import type { FetchStory, Story } from '../clients/stories.js';

export type { Story };

/** What is stored of a request. */
export interface TracedRequest {
  readonly story: Story;
  /** The callback of its reward. Null: there is none. */
  readonly callback: CallbackRow | null;
}

/** Reads what is stored of a request. Its errors are those of {@link FetchStory}. */
export type TraceRequest = (requestId: string) => Promise<TracedRequest>;

/** What {@link makeTraceRequest} needs. */
export interface TraceRequestDeps {
  readonly fetchStory: FetchStory;
  readonly callbacks: Pick<CallbackStore, 'list'>;
}

/** Makes {@link TraceRequest}. */
export function makeTraceRequest({ fetchStory, callbacks }: TraceRequestDeps): TraceRequest {
  return async (requestId) => {
    const any = { publisherId: null, appId: null, placementId: null, status: null, before: null };
    const [story, rows] = await Promise.all([
      fetchStory(requestId),
      callbacks.list({ ...any, requestId, rowsMax: 1 }),
    ]);
    return { story, callback: rows[0] ?? null };
  };
}
