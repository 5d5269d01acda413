import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, messageOf, type Scope } from '@placard/service-kit';
import type { RpcClient } from '@placard/service-kit/grpc';
import type { FraudServiceService, SuspiciousEvent } from '@placard/protos/fraud/v1/fraud.js';
import type { PackageMismatch, PackageMismatches } from './package-mismatches.js';

/** Reports that wait at most; further ones are dropped. */
export const WAITING_MAX = 1_000;
/** Reports that one call carries at most. */
const BATCH_MAX = 200;
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 10_000;
/** Longest that the end of the process waits for the reports that are left. */
const LAST_CALL_MS_MAX = 1_000;

/** What reporting needs. */
export interface PackageMismatchesParts {
  readonly client: Pick<RpcClient<typeof FraudServiceService>, 'recordSuspiciousEvents'>;
  /** Told how many reports were dropped, for the metrics. */
  readonly onDropped: (count: number) => void;
  /** Waits between attempts, in milliseconds; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const waitForReal = (ms: number, signal: AbortSignal): Promise<unknown> => sleep(ms, undefined, { signal });

/**
 * Reports to fraud-service's suspicious-event log: one call at a time, in batches, repeated until it is taken. What still
 * waits when the process ends gets one more call.
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
          scope.log.error({ why: messageOf(error) }, 'fraud-service refuses package mismatch reports');
          onDropped(waiting.splice(0, BATCH_MAX).length);
          continue;
        }
        scope.log.debug({ why: messageOf(error), retryMs }, 'package mismatches not reported yet');
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

/** A call that is wrong in itself would fail for ever. */
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
