import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { appError, type Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { systemClock } from '@placard/service-kit/pure';
import type { FraudClient } from './fraud.js';
import { toWireEvent, toWireSuspicious } from './wire.js';

/**
 * Longest wait of a group of events for its verdicts, in milliseconds. It is longer than the wait of fraud-service for Redis,
 * and leaves time for the insert.
 */
const JUDGE_MS_MAX = 700;

/** Longest time of a report of suspicious events, in milliseconds. */
const REPORT_MS_MAX = 20_000;

/** Opens {@link FraudClient}. */
export function openFraudClient(scope: Scope, address: string): FraudClient {
  const peer = { address, name: 'fraud-service' };
  const client = openGrpcClient(scope, FraudServiceService, peer);
  const reports = openGrpcClient(scope, FraudServiceService, { ...peer, budgetMs: REPORT_MS_MAX });
  return {
    async judge(events, deadlineAtMs) {
      const { judgements } = await client.judgeEvents(
        { events: events.map(toWireEvent) },
        { deadlineAt: Math.min(deadlineAtMs, systemClock.now() + JUDGE_MS_MAX) },
      );
      if (judgements.length === events.length) return judgements;
      throw appError('unavailable', 'fraud-service did not judge all events.');
    },
    async refusedOf(requestId, { fromMs, toMs }) {
      const range = { fromMs: BigInt(fromMs), toMs: BigInt(toMs) };
      const { events } = await client.findSuspiciousEvents({ requestId, ...range });
      return events.map(({ rule, event, atMs }) => ({ rule, event, atMs: Number(atMs) }));
    },
    async countSuspicious(query) {
      return reports.countSuspiciousEvents(query);
    },
    async recordSuspicious(events) {
      await client.recordSuspiciousEvents({
        events: events.map(toWireSuspicious),
      });
    },
  };
}
