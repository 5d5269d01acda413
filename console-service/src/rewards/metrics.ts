import { Counter, Gauge, type Registry } from 'prom-client';
import type { WaitingCallbacks } from './store/callbacks.js';
import type { AttemptEnd } from './usecase/send-reward.js';

/** Figures of reward callbacks. */
export interface RewardMetrics {
  readonly attempt: (result: AttemptEnd['result']) => void;
  /** Shows what waits at an instant (epoch ms). */
  readonly waiting: (waiting: WaitingCallbacks, nowMs: number) => void;
}

const RESULTS: readonly AttemptEnd['result'][] = ['delivered', 'failed', 'given_up', 'over'];

/** Registers {@link RewardMetrics}. */
export function makeRewardMetrics(registry: Registry): RewardMetrics {
  const registers = [registry];
  const attempts = new Counter({
    name: 'placard_reward_attempts_total',
    help: 'Attempts to send a reward callback, by how they ended',
    labelNames: ['result'] as const,
    registers,
  });
  // Start at 0: Prometheus shows no increase for a series that first appears with an attempt.
  for (const result of RESULTS) attempts.inc({ result }, 0);
  const count = new Gauge({
    name: 'placard_reward_callbacks_waiting',
    help: 'Reward callbacks that wait for an attempt',
    registers,
  });
  const age = new Gauge({
    name: 'placard_reward_callbacks_oldest_seconds',
    help: 'Since when the oldest reward whose callback waits is accepted; 0 when none waits',
    registers,
  });
  return {
    attempt: (result) => attempts.inc({ result }),
    waiting({ count: waiting, oldestAtMs }, nowMs) {
      count.set(waiting);
      age.set(oldestAtMs === null ? 0 : Math.max(0, nowMs - oldestAtMs) / 1_000);
    },
  };
}
