import { toAppError } from '@placard/service-kit';
import type { ExplainedRequest, ExplainRequests } from '../../explain/usecase/explain-requests.js';
import type { CallbackRow } from '../../rewards/domain/reward-callback.js';
import type { CallbackStore } from '../../rewards/store/callbacks.js';
import type { FetchStory, Story } from '../clients/stories.js';

export type { ExplainedRequest, Story };

/** What is stored of a request. */
export interface TracedRequest {
  readonly story: Story;
  /** How it was answered. Null: its explanation is not kept. */
  readonly answer: ExplainedRequest | null;
  /** The callback of its reward. Null: there is none. */
  readonly callback: CallbackRow | null;
}

/** Reads what is stored of a request. Its errors are those of {@link FetchStory}. Contract: docs/contract/operator-interface.md#trace. */
export type TraceRequest = (requestId: string) => Promise<TracedRequest>;

/** What {@link makeTraceRequest} needs. */
export interface TraceRequestDeps {
  readonly fetchStory: FetchStory;
  readonly explanations: Pick<ExplainRequests, 'request'>;
  readonly callbacks: Pick<CallbackStore, 'list'>;
}

/** Makes {@link TraceRequest}. */
export function makeTraceRequest({ fetchStory, explanations, callbacks }: TraceRequestDeps): TraceRequest {
  return async (requestId) => {
    const any = { publisherId: null, appId: null, placementId: null, status: null, before: null };
    const [story, answer, rows] = await Promise.all([
      fetchStory(requestId),
      explanations.request(requestId).catch(nullWhenNotKept),
      callbacks.list({ ...any, requestId, rowsMax: 1 }),
    ]);
    return { story, answer, callback: rows[0] ?? null };
  };
}

function nullWhenNotKept(error: unknown): null {
  if (toAppError(error).code === 'not_found') return null;
  throw error;
}
