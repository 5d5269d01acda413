import type { AppId } from '@placard/service-kit/pure';

/** A client that named another package than its app is registered with. */
export interface PackageMismatch {
  readonly appId: AppId;
  /** Epoch ms of the request. */
  readonly atMs: number;
}

/** Where package mismatches are told. Contract: docs/contract/fraud-rules.md#suspicious-event-log. */
export interface PackageMismatches {
  /** Returns at once and never fails: the report goes out in the background, and is dropped rather than kept without bound. */
  report(mismatch: PackageMismatch): void;
}
