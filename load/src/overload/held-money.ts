import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics, valueOf } from '../measure/metrics.js';

/** Money of advertisers that is held for ads which may still be shown. Amounts are in currency units. */
export interface HeldMoney {
  /** After the last call. */
  readonly atEnd: number;
  /** At the end of the wait. */
  readonly left: number;
  /** Time from the last call until nothing was held, or until the wait ended. */
  readonly waitedSeconds: number;
  /** Largest number of leases that should have been closed already. */
  readonly overdueLeases: number;
  readonly adSeconds: number;
}

/** A lease closes with the ads of its minute and a minute more, and is overdue after another minute and a half. */
const CLOSED_SECONDS = 60 + 60 + 90;
const POLL_MS = 500;
const SECOND_MS = 1_000;

/**
 * Waits until no money is held any more, or until every lease must be closed. `metricsUrl` is the worker's; the ads live for
 * `adSeconds`.
 */
export async function untilNothingHeld(
  metricsUrl: string,
  adSeconds: number,
  stopping: AbortSignal,
): Promise<HeldMoney> {
  const startedAtMs = performance.now();
  let atEnd = 0;
  let overdueLeases = 0;
  for (;;) {
    const text = await readMetrics(metricsUrl);
    const left = valueOf(text, 'placard_budget_held_money');
    overdueLeases = Math.max(overdueLeases, valueOf(text, 'placard_budget_overdue_leases'));
    // The gauge is a few seconds old at first, and follows the last fills upwards.
    atEnd = Math.max(atEnd, left);
    const waitedSeconds = (performance.now() - startedAtMs) / SECOND_MS;
    const isOver = waitedSeconds >= adSeconds && left === 0;
    if (isOver || waitedSeconds > adSeconds + CLOSED_SECONDS)
      return { atEnd, left, waitedSeconds, overdueLeases, adSeconds };
    await sleep(POLL_MS, undefined, { signal: stopping });
  }
}
