import type { RequestId, SessionId } from '@placard/service-kit/pure';
import type { CapCounts, CapUnit } from '../domain/caps.js';

/** One unit of a fill, which counts until the given instant (epoch ms). */
export interface CapTime {
  readonly unit: CapUnit;
  readonly countsUntilMs: number;
}

/** One unit of a fill of which at most `countMax` may count. */
export interface CapClaim extends CapTime {
  readonly countMax: number;
}

/** The first unit that was full, and the counts of the session at that moment. */
export interface CapRefusal {
  readonly unit: CapUnit;
  readonly counts: CapCounts;
}

/** The key of a fill in the caps. */
export interface CapFill {
  readonly sessionId: SessionId;
  readonly requestId: RequestId;
}

/**
 * The fills of each session that count for frequency caps. Every method is one atomic step on one session and throws
 * when the store cannot be reached. Only units with a cap are stored.
 * Contract: docs/contract/selection.md#frequency-cap.
 */
export interface CapStore {
  /** The current counts. */
  counts(sessionId: SessionId, nowMs: number): Promise<CapCounts>;
  /** Claims the fill for all units, of which there is at least one, or for none. Null: claimed. */
  claim(fill: CapFill, claims: readonly CapClaim[], nowMs: number): Promise<CapRefusal | null>;
  /** Sets until when the fill counts for each unit, of which there is at least one. A past instant removes the fill. */
  settle(fill: CapFill, units: readonly CapTime[], nowMs: number): Promise<void>;
}
