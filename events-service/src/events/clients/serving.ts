import type { ImpressionClaims } from '@placard/service-kit/pure';
import type { StoredVerdict } from '../domain/event.js';

/** The outcome of a fill whose impression was judged. */
export interface FillOutcome {
  readonly claims: ImpressionClaims;
  readonly verdict: StoredVerdict;
}

/** Calls to serving-service. */
export interface ServingClient {
  /** Sends outcomes for frequency caps; safe to repeat. Error `unavailable` when serving-service cannot be reached. */
  commit(outcomes: readonly FillOutcome[]): Promise<void>;
}
