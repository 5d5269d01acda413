import { appError } from '@placard/service-kit';
import type { HeldMinute, KnownMinute, ReservationStore } from '../store/reservations.js';

export type { HeldMinute } from '../store/reservations.js';

/** Campaign-minutes of one call. */
export const HELD_MINUTES_MAX = 5_000;

/**
 * Keeps what serving-service's counters hold beyond the fills that were reported, and tells what was known before. Safe to
 * repeat and on several replicas at once. A fill that is reported after it was found counts twice until its minute is over:
 * too much is held then, never too little. Errors: `invalid_argument`, `unavailable`. Design: "Money".
 */
export type ReportReservations = (minutes: readonly HeldMinute[]) => Promise<readonly KnownMinute[]>;

/** Makes {@link ReportReservations}. */
export function makeReportReservations(store: ReservationStore): ReportReservations {
  return async (minutes) => {
    if (minutes.length > HELD_MINUTES_MAX) {
      throw appError('invalid_argument', `A call names at most ${HELD_MINUTES_MAX} minutes.`);
    }
    const names = new Set(minutes.map(({ campaignId, minute }) => `${campaignId}|${minute}`));
    if (names.size < minutes.length) {
      throw appError('invalid_argument', 'A call names each campaign-minute once.');
    }
    return minutes.length === 0 ? [] : store.record(minutes);
  };
}
