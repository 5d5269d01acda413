import type { Scope } from '@placard/service-kit';
import { Arrivals, BEAT_MS } from '../domain/arrivals.js';

/** Watches the event loop. Answers a function for the time since a request that is read now can have arrived, in ms. */
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
