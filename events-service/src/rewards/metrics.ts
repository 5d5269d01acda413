import { Gauge, type Registry } from 'prom-client';
import type { WaitingRewards } from './store/rewards.js';

/** Figures of accepted rewards. */
export interface RewardMetrics {
  /** Shows what waits at an instant (epoch ms). */
  readonly waiting: (waiting: WaitingRewards, nowMs: number) => void;
}

/** Registers {@link RewardMetrics}. */
export function makeRewardMetrics(registry: Registry): RewardMetrics {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const count = gauge('placard_rewards_waiting', 'Accepted rewards that console-service has not taken yet');
  const age = gauge('placard_rewards_oldest_seconds', 'Age of the longest waiting reward; 0 when none waits');
  return {
    waiting({ count: waiting, oldestAtMs }, nowMs) {
      count.set(waiting);
      age.set(oldestAtMs === null ? 0 : Math.max(0, nowMs - oldestAtMs) / 1_000);
    },
  };
}
