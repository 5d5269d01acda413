import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { ExplainServiceService } from '@placard/protos/explain/v1/explain.js';
import type { ExplainedRequest } from '../domain/explained-request.js';
import { toWireExplained } from './explained-wire.js';

/** Longest time of a call, in milliseconds. No ad request waits for it. */
const BUDGET_MS = 2_000;

/** Opens the call that keeps explanations at events-service. It may be repeated. Errors: `unavailable` and others. */
export function openExplainClient(
  scope: Scope,
  address: string,
): (requests: readonly ExplainedRequest[]) => Promise<void> {
  const client = openGrpcClient(scope, ExplainServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  return async (requests) => {
    await client.recordRequests({ requests: requests.map(toWireExplained) });
  };
}
