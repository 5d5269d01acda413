import type { FraudServiceService, SuspiciousEvent } from '@placard/protos/fraud/v1/fraud.js';
import type { Scope } from '@placard/service-kit';
import { openOutbox } from '@placard/service-kit/background';
import type { RpcClient } from '@placard/service-kit/grpc';
import type { PackageMismatch, PackageMismatches } from './package-mismatches.js';

/** Most waiting reports. Beyond it the oldest are dropped. */
export const WAITING_MAX = 1_000;

/** A call has at most 200 reports. A failed call is repeated after a quarter of a second, later after up to ten seconds. */
const BOUNDS = {
  itemsMax: WAITING_MAX,
  groupMax: 200,
  gapMs: 0,
  retryMsMin: 250,
  retryMsMax: 10_000,
} as const;

/** Dependencies of the reporter. */
export interface PackageMismatchesParts {
  readonly client: Pick<RpcClient<typeof FraudServiceService>, 'recordSuspiciousEvents'>;
  /** Called with the number of dropped reports, for the metrics. */
  readonly onDropped: (count: number) => void;
}

/** Reports to the suspicious-event log of fraud-service in the background, until the scope closes. */
export function openPackageMismatches(
  scope: Scope,
  { client, onDropped }: PackageMismatchesParts,
): PackageMismatches {
  const outbox = openOutbox<PackageMismatch>(scope, {
    ...BOUNDS,
    name: 'reporting package mismatches',
    send: (mismatches) => client.recordSuspiciousEvents({ events: mismatches.map(toWire) }),
    onDropped,
  });
  return { report: (mismatch) => outbox.push(mismatch) };
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
