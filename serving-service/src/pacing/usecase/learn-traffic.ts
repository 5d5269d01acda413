import type { Clock } from '@placard/service-kit/pure';
import { MINUTE_MS } from '@placard/service-kit/pure';
import type { SpendClient } from '../../clients/spend-client.js';
import type { PaceMemory } from './pace-memory.js';

/** Learned days of traffic are fetched again at this age. They are learned once a day. */
export const TRAFFIC_FRESH_MS = 5 * MINUTE_MS;

/** Dependencies of the use case. */
export interface LearnTrafficDeps {
  readonly spend: Pick<SpendClient, 'trafficGroups'>;
  readonly memory: Pick<PaceMemory, 'setTraffic'>;
  readonly clock: Clock;
}

/**
 * Fetches the learned days of traffic when the current ones are older than {@link TRAFFIC_FRESH_MS}. Rejects when
 * events-service cannot answer; the current ones then stay in use.
 */
export function makeLearnTraffic({ spend, memory, clock }: LearnTrafficDeps): () => Promise<void> {
  let fetchedAtMs = -Infinity;
  return async () => {
    const nowMs = clock.now();
    if (Math.abs(nowMs - fetchedAtMs) < TRAFFIC_FRESH_MS) return;
    memory.setTraffic(await spend.trafficGroups());
    fetchedAtMs = nowMs;
  };
}
