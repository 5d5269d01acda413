import type { Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import { MINUTE_MS } from '@placard/service-kit/pure';
import { Gauge } from 'prom-client';
import type { VerifyBooks } from './usecase/verify-books.js';

/** As often as the worker checks the identities that it can check. */
const INTERVAL_MS = 5 * MINUTE_MS;
/** The label of the checks that need console-service's own tables. */
const PART = 'funds';

/**
 * Compares the money that console-service has booked with that of the ledger, every five minutes on every replica, until
 * the scope closes. One run costs two reads of the money and two sums in the ledger; it takes no lock. The results are
 * metrics like those of the worker's checks.
 */
export function openFundsCheck(scope: Scope, verifyBooks: VerifyBooks): void {
  const registers = [scope.metrics];
  const isOk = new Gauge({
    name: 'placard_ledger_check_ok',
    help: 'Last result of the identities that only console-service can check: 1: it holds, 0: a fault',
    labelNames: ['check'] as const,
    registers,
  });
  const checkedAt = new Gauge({
    name: 'placard_ledger_checked_timestamp_seconds',
    help: 'When these identities were last checked; 0 before the first time',
    labelNames: ['part'] as const,
    registers,
  });
  checkedAt.set({ part: PART }, 0);
  const check = async (): Promise<void> => {
    const { checks } = await verifyBooks({ isWaiting: false, isGivenOnly: true });
    for (const { name, ok, detail } of checks) {
      isOk.set({ check: name }, ok ? 1 : 0);
      if (!ok) scope.log.error({ check: name, detail }, 'the ledger does not add up');
    }
    checkedAt.setToCurrentTime({ part: PART });
  };
  keepRunning(scope, { name: 'comparing funds', intervalMs: INTERVAL_MS, isRunAtStart: true, run: check });
}
