import type { Clock } from '@placard/service-kit/pure';
import type { SpendClient } from '../clients/spend-client.js';
import type { BudgetStore } from '../store/budget-store.js';
import type { BudgetOutlook } from './budget-outlook.js';

/**
 * How long after its last ad's expiry a minute is closed. The first ad of the minute expired up to 60 seconds before,
 * so that every ad is given back between 60 and 150 seconds after its expiry. Rulings: "Selection", reservation.
 */
export const CLOSE_AFTER_MS = 61_000;
/** Minutes that are closed with one question to events-service. */
export const MINUTES_MAX = 200;
const ROUNDS_MAX = 50;

/** What closing needs. */
export interface CloseDeps {
  readonly budgets: Pick<BudgetStore, 'minutesOver' | 'closeMinute'>;
  readonly spend: Pick<SpendClient, 'acceptedSums'>;
  readonly outlook: Pick<BudgetOutlook, 'forget'>;
  readonly clock: Clock;
}

/**
 * Closes the campaign-minutes that are over: what was not accepted is given back. Answers how many were closed. Rejects
 * when events-service or the store cannot be asked; nothing is closed then. Safe to run on several replicas at once.
 */
export type CloseMinutes = () => Promise<number>;

/** Makes the use case. */
export function makeCloseMinutes(deps: CloseDeps): CloseMinutes {
  return async () => {
    let closed = 0;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const minutes = await deps.budgets.minutesOver(deps.clock.now() - CLOSE_AFTER_MS, MINUTES_MAX);
      if (minutes.length === 0) break;
      const sums = await deps.spend.acceptedSums(minutes);
      await Promise.all(
        minutes.map(async (minute, at) => {
          const back = await deps.budgets.closeMinute(minute, sums[at] ?? 0n);
          if (back > 0n) deps.outlook.forget(minute.campaignId);
        }),
      );
      closed += minutes.length;
      if (minutes.length < MINUTES_MAX) break;
    }
    return closed;
  };
}
