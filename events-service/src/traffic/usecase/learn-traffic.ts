import { MINUTE_MS, dayOf, type Clock } from '@placard/service-kit/pure';
import { learnCurves } from '../domain/traffic-curve.js';
import type { TrafficStore } from '../store/traffic.js';

/** The day before counts as complete this long after midnight UTC. Replicas report each second; a few reports are late. */
export const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** What {@link makeLearnTraffic} needs. */
export interface LearnTrafficDeps {
  readonly traffic: Pick<TrafficStore, 'learn'>;
  readonly clock: Clock;
}

/** Learns the traffic curves, once a day. It is called periodically; several workers may run it at the same time. */
export function makeLearnTraffic({ traffic, clock }: LearnTrafficDeps): () => Promise<void> {
  let learnedDay: number | null = null;
  return async () => {
    const day = dayOf(clock.now() - SETTLED_AFTER_MS);
    if (day === learnedDay) return;
    await traffic.learn(day, learnCurves);
    learnedDay = day;
  };
}
