import { MINUTE_MS, dayOf, type Clock } from '@placard/service-kit/pure';
import { learnCurves } from '../domain/traffic-curve.js';
import type { TrafficStore } from '../store/traffic.js';

/** How long after midnight UTC the day before is taken for whole: replicas report each second, late ones when they can. */
export const SETTLED_AFTER_MS = 10 * MINUTE_MS;

/** What learning needs. */
export interface LearnTrafficDeps {
  readonly traffic: Pick<TrafficStore, 'learn'>;
  readonly clock: Clock;
}

/** Learns what days of traffic look like, once a day. Called now and then, safe to run at the same time anywhere. */
export function makeLearnTraffic({ traffic, clock }: LearnTrafficDeps): () => Promise<void> {
  let learnedDay: number | null = null;
  return async () => {
    const day = dayOf(clock.now() - SETTLED_AFTER_MS);
    if (day === learnedDay) return;
    await traffic.learn(day, learnCurves);
    learnedDay = day;
  };
}
