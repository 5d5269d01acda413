import { messageOf, type Scope } from '@placard/service-kit';
import type { BookUnbooked } from './usecase/book-unbooked.js';

const INTERVAL_MS = 1_000;
/** How long a call waits for the booking of what it needs; the booking itself goes on. */
const WAIT_MS_MAX = 3_000;

/**
 * Books deposits and adjustments again and again until the scope closes, and returns a way to book now that waits a bounded time and never
 * fails: what cannot be booked now is booked later.
 */
export function keepBooking(scope: Scope, bookUnbooked: BookUnbooked): BookUnbooked {
  const health = scope.health.register('ledger', { optional: true });
  let wasDone = true;
  const note = (isDone: boolean, why?: string): void => {
    health.set(isDone, why);
    // Once per outage, not once per second.
    if (isDone !== wasDone)
      scope.log.warn(
        { why },
        isDone ? 'all deposits and adjustments are booked' : 'deposits or adjustments wait',
      );
    wasDone = isDone;
  };
  let running: Promise<boolean> = Promise.resolve(true);
  const run = (): Promise<boolean> => {
    running = bookUnbooked().then(
      (isDone) => {
        note(isDone, isDone ? undefined : 'events-service does not answer');
        return isDone;
      },
      (error: unknown) => {
        note(false, messageOf(error));
        return false;
      },
    );
    return running;
  };
  const timer = setInterval(() => void run(), INTERVAL_MS);
  scope.onClose('booking in the ledger', async () => {
    clearInterval(timer);
    await running;
  });
  return () => Promise.race([run(), afterWait()]);
}

function afterWait(): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), WAIT_MS_MAX).unref();
  });
}
