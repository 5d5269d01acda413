import type { AppId } from '@placard/service-kit/pure';

/** A request that named another package than the registered one of its app. */
export interface PackageMismatch {
  readonly appId: AppId;
  /** Epoch ms of the request. */
  readonly atMs: number;
}

/** The receiver of package mismatches. Contract: docs/contract/fraud-rules.md#suspicious-event-log. */
export interface PackageMismatches {
  /** Returns at once and never fails. The report is sent in the background. It is dropped when too many wait. */
  report(mismatch: PackageMismatch): void;
}
