import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import type { FraudClient } from './fraud-client.js';

/**
 * Longest wait of an ad request for the verdict, in milliseconds. After that it is answered without the cap. It is longer
 * than the wait of fraud-service for Redis, so that a frozen Redis is not taken for a frozen fraud-service.
 */
const BUDGET_MS = 700;

/** fraud-service over gRPC. `onDown` is called for each request that is answered without the cap. */
export function openFraudClient(
  scope: Scope,
  options: { readonly address: string; readonly onDown: (error: unknown) => void },
): FraudClient {
  const client = openGrpcClient(scope, FraudServiceService, {
    address: options.address,
    name: 'fraud-service',
    budgetMs: BUDGET_MS,
  });
  return {
    async passes({ sessionId, requestId, atMs, deadlineAt }) {
      try {
        const { passes } = await client.judgeAdRequest(
          { sessionId, requestId, atMs: BigInt(atMs) },
          { deadlineAt, requestId },
        );
        return passes;
      } catch (error) {
        options.onDown(error);
        return true;
      }
    },
  };
}
