import { appError } from '@placard/service-kit';
import { formatNanos, type Clock } from '@placard/service-kit/pure';
import { monthFrom, monthText, openReason, type ClosedMonth } from '../domain/month.js';
import type { MonthStore } from '../store/months.js';

/** A month that an operator closes. */
export interface CloseRequest {
  /** UTC day since 1970. */
  readonly firstDay: number;
  /** Null: any amount, or that of the first close. */
  readonly minimumPayoutNanos: bigint | null;
}

/**
 * Closes the first open month and writes its statements, once; `isNew` is false when it was closed before. Errors:
 * `invalid_argument` (no month, a minimum below zero), `failed_precondition` (not over, not the first open month, events
 * wait for settlement), `conflict` (closed with another minimum), `unavailable`.
 */
export type CloseMonth = (
  request: CloseRequest,
) => Promise<{ readonly isNew: boolean; readonly month: ClosedMonth }>;

/** Makes {@link CloseMonth}. Contract: docs/contract/money.md#closed-months. */
export function makeCloseMonth(store: Pick<MonthStore, 'close'>, clock: Clock): CloseMonth {
  return async ({ firstDay, minimumPayoutNanos: minimum }) => {
    const month = monthFrom(firstDay);
    if (month === null) throw appError('invalid_argument', 'No month begins on that day.');
    if (minimum !== null && minimum < 0n)
      throw appError('invalid_argument', 'The minimum of a payout must not be below zero.');
    return store.close(month, minimum ?? 0n, (state) => {
      if (state.closed === null) {
        const reason = openReason(month, state, clock.now());
        if (reason !== null) throw appError('failed_precondition', reason);
      } else if (minimum !== null && minimum !== state.closed.minimumPayoutNanos) {
        throw appError(
          'conflict',
          `${monthText(month)} is closed already with the minimum payout ${formatNanos(state.closed.minimumPayoutNanos)}.`,
        );
      }
    });
  };
}
