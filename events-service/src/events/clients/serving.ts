import type { ImpressionClaims } from '@placard/service-kit/pure';
import type { StoredVerdict } from '../domain/event.js';

/** What became of a fill: its impression was judged. */
export interface FillOutcome {
  readonly claims: ImpressionClaims;
  readonly verdict: StoredVerdict;
}

/** What events-service sends to serving-service. */
export interface ServingClient {
  /** A hint that keeps budgets and frequency caps fresh; safe to repeat. Error `unavailable` when it cannot be reached. */
  commit(outcomes: readonly FillOutcome[]): Promise<void>;
}
