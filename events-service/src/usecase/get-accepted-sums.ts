import { appError } from '@placard/service-kit';
import type { AcceptedSum, ClosingMinute, SpendStore } from '../store/spend.js';

/** Campaign-minutes of one call. */
export const CLOSING_MINUTES_MAX = 10_000;

/**
 * The final accepted sums of campaign-minutes. Errors: `failed_precondition` while one of them is not over by the
 * database's clock, `invalid_argument`, `unavailable`. Rulings: "Selection", reservation.
 */
export type GetAcceptedSums = (minutes: readonly ClosingMinute[]) => Promise<readonly AcceptedSum[]>;

/** Makes {@link GetAcceptedSums}. */
export function makeGetAcceptedSums(store: Pick<SpendStore, 'acceptedSums'>): GetAcceptedSums {
  return async (minutes) => {
    if (minutes.length > CLOSING_MINUTES_MAX) {
      throw appError('invalid_argument', `A call closes at most ${CLOSING_MINUTES_MAX} minutes.`);
    }
    if (minutes.length === 0) return [];
    const sums = await store.acceptedSums(minutes);
    const open = sums.find((sum) => !sum.isOver);
    if (open === undefined) return sums;
    throw appError('failed_precondition', `Minute ${open.minute} of ${open.campaignId} is not over yet.`);
  };
}
