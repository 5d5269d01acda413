import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics, valueOf } from './metrics.js';

const POLL_MS = 100;
const SETTLED_MS_MAX = 120_000;
const BOOKED = 'placard_settlement_events_total';

/**
 * Waits until the settlement worker has settled a number of events since its start; returns how long that took in
 * milliseconds, or null after two minutes. `metricsUrl` is the worker's.
 */
export async function untilSettled(metricsUrl: string, events: number): Promise<number | null> {
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < SETTLED_MS_MAX) {
    if ((await settledEvents(metricsUrl)) >= events) return performance.now() - startedAtMs;
    await sleep(POLL_MS);
  }
  return null;
}

/** Number of events that the worker has settled since its start. */
export async function settledEvents(metricsUrl: string): Promise<number> {
  return valueOf(await readMetrics(metricsUrl), BOOKED);
}
