import type { Clock } from '@placard/service-kit/pure';
import type { ServingBatch, SpendClient } from '../clients/spend-client.js';
import { LATE_QUIET_MS, QUIET_MS } from '../store/budget-store.js';

/** For how long a report that failed says that the other replicas' may still be on their way. */
export const LATE_FOR_MS = 10_000;

/** Hands reports over and remembers when that last failed. */
export class LateReports implements Pick<SpendClient, 'report'> {
  readonly #spend: Pick<SpendClient, 'report'>;
  readonly #clock: Clock;
  #failedAtMs = -Infinity;

  constructor(spend: Pick<SpendClient, 'report'>, clock: Clock) {
    this.#spend = spend;
    this.#clock = clock;
  }

  async report(batch: ServingBatch): Promise<void> {
    try {
      await this.#spend.report(batch);
    } catch (error) {
      this.#failedAtMs = this.#clock.now();
      throw error;
    }
  }

  /** How long the other replicas have to report their last fills after a loss: who fails to, does so for all, and not at once. */
  quietMs(): number {
    return this.#clock.now() - this.#failedAtMs < LATE_FOR_MS ? LATE_QUIET_MS : QUIET_MS;
  }
}
