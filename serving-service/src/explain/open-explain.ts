import type { Scope } from '@placard/service-kit';
import { openOutbox } from '@placard/service-kit/background';
import type { ExplainedRequest } from './domain/explained-request.js';
import { openExplainClient } from './clients/explain-client.grpc.js';
import { makeExplainRequests, type ExplainRequestsDeps } from './usecase/explain-requests.js';
import { RequestSample, type WaitingRequest } from './usecase/request-sample.js';

/** Most requests that wait for their explanation, which takes at most some tenths of a millisecond. */
const WAITING_MAX = 1_000;
const EXPLAINED_PER_TURN = 4;
const EXPLAIN_GAP_MS = 5;
/** Most explanations that wait for events-service. Each has up to 20 KB. */
const KEPT_MAX = 2_000;
const KEPT_PER_CALL = 50;
const KEEP_GAP_MS = 250;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;

/** What the feature needs. */
export interface OpenExplainDeps extends Omit<ExplainRequestsDeps, 'kept' | 'random'> {
  /** The share of live requests whose explanations are kept, 0 to 1. */
  readonly sample: number;
  readonly eventsServiceAddress: string;
  /** Receives the number of chosen requests that are not explained, or whose explanation is not kept. */
  readonly onDropped: (requests: number) => void;
}

/** Opens the explanation of answered requests. No ad request waits for it. */
export function openExplain(scope: Scope, deps: OpenExplainDeps): RequestSample {
  const retries = { retryMsMin: RETRY_MS_MIN, retryMsMax: RETRY_MS_MAX, onDropped: deps.onDropped };
  const kept = openOutbox<ExplainedRequest>(scope, {
    name: 'keeping explanations of requests',
    send: openExplainClient(scope, deps.eventsServiceAddress),
    itemsMax: KEPT_MAX,
    groupMax: KEPT_PER_CALL,
    gapMs: KEEP_GAP_MS,
    ...retries,
  });
  const waiting = openOutbox<WaitingRequest>(scope, {
    name: 'explaining requests',
    send: makeExplainRequests({ ...deps, kept, random: scope.random }),
    itemsMax: WAITING_MAX,
    groupMax: EXPLAINED_PER_TURN,
    gapMs: EXPLAIN_GAP_MS,
    ...retries,
  });
  return new RequestSample({ sample: deps.sample, index: deps.index, random: scope.random, waiting });
}
