import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, messageOf, type Scope } from '@placard/service-kit';
import type { RpcClient } from '@placard/service-kit/grpc';
import type { FraudServiceService, SuspiciousEvent } from '@placard/protos/fraud/v1/fraud.js';
import type { PackageMismatch, PackageMismatches } from './package-mismatches.js';

/** Most waiting reports. Further ones are dropped. */
export const WAITING_MAX = 1_000;
/** Most reports in one call. */
const BATCH_MAX = 200;
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 10_000;
/** Longest wait of the ending process for the remaining reports. */
const LAST_CALL_MS_MAX = 1_000;

/** Dependencies of the reporter. */
export interface PackageMismatchesParts {
  readonly client: Pick<RpcClient<typeof FraudServiceService>, 'recordSuspiciousEvents'>;
  /** Called with the number of dropped reports, for the metrics. */
  readonly onDropped: (count: number) => void;
  /** Waits between attempts, in milliseconds. Rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const waitForReal = (ms: number, signal: AbortSignal): Promise<unknown> => sleep(ms, undefined, { signal });

/**
 * Reports to the suspicious-event log of fraud-service: in batches, one call at a time, repeated until fraud-service
 * accepts it. Reports that still wait when the process ends get one more call.
 */
export function openPackageMismatches(scope: Scope, parts: PackageMismatchesParts): PackageMismatches {
  const { client, onDropped, wait = waitForReal } = parts;
  const waiting: PackageMismatch[] = [];
  const closing = new AbortController();
  let sending: Promise<void> | null = null;

  const sendBatch = async (deadlineAt?: number): Promise<void> => {
    const batch = waiting.slice(0, BATCH_MAX);
    await client.recordSuspiciousEvents(
      { events: batch.map(toWire) },
      deadlineAt === undefined ? {} : { deadlineAt },
    );
    waiting.splice(0, batch.length);
  };
  const sendAll = async (): Promise<void> => {
    let retryMs = RETRY_MS_MIN;
    while (waiting.length > 0 && !closing.signal.aborted) {
      try {
        await sendBatch();
        retryMs = RETRY_MS_MIN;
      } catch (error) {
        if (isRefused(error)) {
          scope.log.error({ reason: messageOf(error) }, 'fraud-service refuses package mismatch reports');
          onDropped(waiting.splice(0, BATCH_MAX).length);
          continue;
        }
        scope.log.debug({ reason: messageOf(error), retryMs }, 'package mismatches not reported yet');
        await wait(retryMs, closing.signal).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      }
    }
  };

  scope.onClose('package mismatch reports', async () => {
    closing.abort();
    await sending;
    if (waiting.length > 0) await sendBatch(Date.now() + LAST_CALL_MS_MAX).catch(() => undefined);
    if (waiting.length > 0) onDropped(waiting.length);
  });

  return {
    report(mismatch) {
      if (waiting.length >= WAITING_MAX || closing.signal.aborted) {
        onDropped(1);
        return;
      }
      waiting.push(mismatch);
      sending ??= sendAll().finally(() => {
        sending = null;
      });
    },
  };
}

/** Whether the call itself is invalid, so that every repetition would fail. */
function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid_argument';
}

function toWire({ appId, atMs }: PackageMismatch): SuspiciousEvent {
  return {
    rule: 'package_mismatch',
    event: 'initialize',
    appId,
    placement: undefined,
    sessionId: undefined,
    requestId: undefined,
    atMs: BigInt(atMs),
  };
}
