import type { AppId, PlacementCode, RequestId, SessionId } from '@placard/service-kit/pure';

/** Entries of one session, rule and hour (UTC) that are kept; more are only counted. */
export const KEPT_OF_SESSION_MAX = 10;
/** Entries of one app, rule and hour that are kept, those without a session among them; more are only counted. */
export const KEPT_OF_APP_MAX = 1_000;

/**
 * One entry of the suspicious-event log: a rejected event whose token could be read, or a package mismatch. Holds no
 * address. Contract: docs/contract/fraud-rules.md#suspicious-event-log.
 */
export interface SuspiciousEvent {
  /** A fraud rule, a rejection reason of the contract, or `package_mismatch`. */
  readonly rule: string;
  /** `impression`, `click`, `reward` or `initialize`. */
  readonly event: string;
  readonly appId: AppId;
  /** Null, as with the two below: the event has none (a package mismatch). */
  readonly placement: PlacementCode | null;
  readonly sessionId: SessionId | null;
  readonly requestId: RequestId | null;
  /** Epoch ms of the arrival. */
  readonly atMs: number;
}
