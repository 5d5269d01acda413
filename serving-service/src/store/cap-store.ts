import type { RequestId, SessionId } from '@placard/service-kit/pure';
import type { CapCounts, CapUnit } from '../domain/caps.js';

/** One unit of a fill: at most `countMax` may count, and this one counts until the given instant (epoch ms). */
export interface CapClaim {
  readonly unit: CapUnit;
  readonly countMax: number;
  readonly countsUntilMs: number;
}

/** A fill, as caps know it. */
export interface CapFill {
  readonly sessionId: SessionId;
  readonly requestId: RequestId;
}

/**
 * The fills of each session that count for frequency caps. Every method is one atomic step on one session and throws
 * when the store cannot be reached. Only units that have a cap are ever stored.
 * Contract: docs/contract/selection.md#frequency-cap.
 */
export interface CapStore {
  /** What counts at this moment. */
  counts(sessionId: SessionId, nowMs: number): Promise<CapCounts>;
  /** Claims the fill for all units or for none. Answers the first unit that is full, or null when claimed. */
  claim(fill: CapFill, claims: readonly CapClaim[], nowMs: number): Promise<CapUnit | null>;
  /** Sets until when the fill counts for each unit; a time that has passed takes it out. */
  settle(
    fill: CapFill,
    units: readonly Pick<CapClaim, 'unit' | 'countsUntilMs'>[],
    nowMs: number,
  ): Promise<void>;
}
