import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics, valueOf } from './metrics.js';

const POLL_MS = 100;
const SETTLED_MS_MAX = 120_000;
const BOOKED = 'placard_settlement_events_total';

/**
 * Waits until the settlement worker has settled so many events in its life; answers how long that took in
 * milliseconds, or null when it did not get there within two minutes. `metricsUrl` is the worker's.
 */
export async function untilSettled(metricsUrl: string, events: number): Promise<number | null> {
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < SETTLED_MS_MAX) {
    if ((await settledEvents(metricsUrl)) >= events) return performance.now() - startedAtMs;
    await sleep(POLL_MS);
  }
  return null;
}

/** How many events the worker has settled in its life. */
export async function settledEvents(metricsUrl: string): Promise<number> {
  return valueOf(await readMetrics(metricsUrl), BOOKED);
}
