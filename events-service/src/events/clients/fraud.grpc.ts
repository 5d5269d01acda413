import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { appError, type Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import type { FraudClient } from './fraud.js';
import { toWireEvent, toWireSuspicious } from './wire.js';

/** Opens {@link FraudClient}. */
export function openFraudClient(scope: Scope, address: string): FraudClient {
  const client = openGrpcClient(scope, FraudServiceService, { address, name: 'fraud-service' });
  return {
    async judge(events, deadlineAtMs) {
      const { judgements } = await client.judgeEvents(
        { events: events.map(toWireEvent) },
        { deadlineAt: deadlineAtMs },
      );
      if (judgements.length === events.length) return judgements;
      throw appError('unavailable', 'fraud-service did not judge all events.');
    },
    async recordSuspicious(events) {
      await client.recordSuspiciousEvents({
        events: events.map(toWireSuspicious),
      });
    },
  };
}
