import {
  ExplainServiceService,
  TryServiceService,
  type ExplainedRequest,
  type TryRequest,
} from '@placard/protos/explain/v1/explain.js';
import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import type { FunnelHour } from '../domain/funnel.js';

export type { ExplainedCandidate, ExplainedRequest, TryRequest } from '@placard/protos/explain/v1/explain.js';

/** A campaign and a half-open range of whole hours in epoch ms. */
export interface FunnelQuery {
  readonly campaignId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Explanations of events-service and serving-service. Errors: `unavailable`, `deadline_exceeded`, and those named. */
export interface Explanations {
  /** What became of a campaign's requests, by hour; hours without any are left out. */
  funnel(query: FunnelQuery): Promise<{ readonly asOfMs: number; readonly hours: readonly FunnelHour[] }>;
  /** Errors: `not_found` (none is kept), `invalid_argument` (the text has not the form of a request id). */
  request(requestId: string): Promise<ExplainedRequest>;
  /** Error: `not_found` for an unknown app or placement. */
  try(request: TryRequest): Promise<ExplainedRequest>;
}

const BUDGET_MS = 15_000;

/** Opens the clients of the services that explain. */
export function openExplanations(
  scope: Scope,
  at: { readonly eventsAddress: string; readonly servingAddress: string },
): Explanations {
  const events = openGrpcClient(scope, ExplainServiceService, {
    address: at.eventsAddress,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  const serving = openGrpcClient(scope, TryServiceService, {
    address: at.servingAddress,
    name: 'serving-service',
    budgetMs: BUDGET_MS,
  });
  return {
    async funnel({ campaignId, fromMs, toMs }) {
      const range = { fromMs: BigInt(fromMs), toMs: BigInt(toMs) };
      const { asOfMs, hours } = await events.getFunnel({ campaignId, ...range });
      return { asOfMs: Number(asOfMs), hours };
    },
    request: async (requestId) => present((await events.getRequest({ requestId })).request),
    try: async (request) => present((await serving.try(request)).request),
  };
}

function present(request: ExplainedRequest | undefined): ExplainedRequest {
  if (request === undefined) throw new Error('the answer has no explanation');
  return request;
}
