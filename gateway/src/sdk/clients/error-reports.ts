import type { Scope } from '@placard/service-kit';
import { keepRunning, makeNumberedBatches } from '@placard/service-kit/background';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { SECOND_MS } from '@placard/service-kit/pure';
import { ReportServiceService } from '@placard/protos/events/v1/events.js';
import { ErrorCounts, type ErrorCount } from '../domain/error-counts.js';
import type { PeerOptions } from './peer.js';

/** No request waits for a report. */
const BUDGET_MS = 3_000;
const REPORTER_BYTES = 16;

/**
 * Opens the counts of integration errors. They are sent to events-service each second and when the scope closes, so that
 * each error counts once. A process that is killed loses those of its last second.
 */
export function openErrorReports(scope: Scope, options: PeerOptions): ErrorCounts {
  const client = openGrpcClient(scope, ReportServiceService, { ...options, budgetMs: BUDGET_MS });
  const reporterId = Buffer.from(scope.random.bytes(REPORTER_BYTES)).toString('hex');
  const counts = new ErrorCounts();
  const batches = makeNumberedBatches<readonly ErrorCount[]>({
    take: () => {
      const taken = counts.take();
      return taken.length === 0 ? [] : [taken];
    },
    send: (batch, sequence) =>
      client.reportErrors({
        reporterId,
        sequence: BigInt(sequence),
        errors: batch.map(({ hour, appKey, error, count }) => ({
          hour: BigInt(hour),
          appKey,
          error,
          count: BigInt(count),
        })),
      }),
  });
  keepRunning(scope, {
    name: 'sending counts of errors',
    intervalMs: SECOND_MS,
    run: () => batches.flush(),
    isRunAtEnd: true,
  });
  return counts;
}
