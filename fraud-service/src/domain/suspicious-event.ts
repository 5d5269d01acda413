import type { AppId, PlacementCode, RequestId, SessionId } from '@placard/service-kit/pure';

/** Most entries that are kept of one session, rule and hour (UTC). Further events are only counted. */
export const KEPT_OF_SESSION_MAX = 10;
/**
 * Most entries that are kept of one app, rule and hour, including those without a session. Further events are only
 * counted.
 */
export const KEPT_OF_APP_MAX = 1_000;

/**
 * One entry of the suspicious-event log: a rejected event with a readable token, or a package mismatch. It holds no
 * address. Contract: docs/contract/fraud-rules.md#suspicious-event-log.
 */
export interface SuspiciousEvent {
  /** A fraud rule, a rejection reason of the contract, or `package_mismatch`. */
  readonly rule: string;
  /** `impression`, `click`, `reward` or `initialize`. */
  readonly event: string;
  readonly appId: AppId;
  /** Null, here and in the two fields below: a package mismatch has none. */
  readonly placement: PlacementCode | null;
  readonly sessionId: SessionId | null;
  readonly requestId: RequestId | null;
  /** Epoch ms of the arrival. */
  readonly atMs: number;
}

/** An entry of one ad. */
export type FoundEvent = Pick<SuspiciousEvent, 'rule' | 'event' | 'atMs'>;

/** Which entries are looked for. Instants are epoch ms, half-open. */
export interface FindQuery {
  readonly requestId: RequestId;
  readonly fromMs: number;
  readonly toMs: number;
}
