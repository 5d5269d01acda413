import { messageOf, type Scope } from '@placard/service-kit';
import { keepRunning, makeSingleFlight } from '@placard/service-kit/background';
import { SECOND_MS } from '@placard/service-kit/pure';
import type { BookUnbooked } from './usecase/book-unbooked.js';

const INTERVAL_MS = SECOND_MS;
/** Longest wait of a call for bookings that it needs. The bookings go on after it. */
const WAIT_MS_MAX = 3 * SECOND_MS;
/** Bookings that wait longer than a start of events-service takes are worth a warning. */
const WARN_AFTER_MS = 30 * SECOND_MS;

/**
 * Books deposits and adjustments every second until the scope closes. The returned function books at once: it waits for a
 * bounded time and never fails. Entries that cannot be booked now are booked later.
 */
export function openBooking(scope: Scope, bookUnbooked: BookUnbooked): BookUnbooked {
  const note = makeNote(scope);
  // An entry made after a run has read its list must not wait for the next second: calls during a run share one more.
  const booking = makeSingleFlight(async () => {
    try {
      const isDone = await bookUnbooked();
      note(isDone, isDone ? undefined : 'events-service does not answer');
      return isDone;
    } catch (error) {
      note(false, messageOf(error));
      return false;
    }
  });
  scope.onClose('booking in the ledger on demand', () => booking.close());
  keepRunning(scope, {
    name: 'booking in the ledger',
    intervalMs: INTERVAL_MS,
    run: () => booking.run(),
  });
  return () => Promise.race([booking.run().catch(() => false), afterWait()]);
}

/** Reports to health and the log whether everything is booked. The log gets one line per step of an outage. */
function makeNote(scope: Scope): (isDone: boolean, reason?: string) => void {
  const health = scope.health.register('ledger', { optional: true });
  let waitingSinceMs: number | null = null;
  let isWarned = false;
  return (isDone, reason) => {
    health.set(isDone, reason);
    const nowMs = scope.clock.now();
    if (isDone) {
      if (waitingSinceMs !== null) scope.log.info('all deposits and adjustments are booked');
      waitingSinceMs = null;
      isWarned = false;
    } else if (waitingSinceMs === null) {
      scope.log.info({ reason }, 'deposits or adjustments wait');
      waitingSinceMs = nowMs;
    } else if (!isWarned && nowMs - waitingSinceMs >= WARN_AFTER_MS) {
      scope.log.warn({ reason, seconds: WARN_AFTER_MS / SECOND_MS }, 'deposits or adjustments still wait');
      isWarned = true;
    }
  };
}

function afterWait(): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), WAIT_MS_MAX).unref();
  });
}
