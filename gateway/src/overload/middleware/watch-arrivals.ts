import type { Scope } from '@placard/service-kit';
import { Arrivals, BEAT_MS } from '../domain/arrivals.js';

/** Watches the event loop. Returns a function that answers how long, in ms, a request that is read now may have waited. */
export function watchArrivals(scope: Scope): () => number {
  const arrivals = new Arrivals(performance.now());
  let stop = (): void => undefined;
  const beat = (): void => {
    arrivals.beat(performance.now());
    stop = scope.timers.after(BEAT_MS, beat);
  };
  beat();
  scope.onClose('watch of arrivals', () => stop());
  return () => {
    const now = performance.now();
    return now - arrivals.earliest(now);
  };
}
