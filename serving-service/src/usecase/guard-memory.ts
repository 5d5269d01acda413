import type { BudgetStore } from '../store/budget-store.js';

/** What noticing lost memory needs. */
export interface GuardMemoryDeps {
  readonly budgets: Pick<BudgetStore, 'beat' | 'openShard'>;
  /** Hands over every fill that was counted so far. */
  readonly flushReport: () => Promise<void>;
}

/**
 * Leaves this replica's sign of life in each shard, and opens those anew that have lost some: their counters are rebuilt from
 * the truth before anything more is reserved. To be called each second. Rejects when the store or events-service cannot be
 * reached; a shard that is lost is not used until it is opened. Design: "Money".
 */
export type GuardMemory = () => Promise<void>;

/** Makes the use case. */
export function makeGuardMemory({ budgets, flushReport }: GuardMemoryDeps): GuardMemory {
  return async () => {
    const lost = await budgets.beat();
    if (lost.length === 0) return;
    await flushReport();
    await Promise.all(lost.map((shard) => budgets.openShard(shard)));
  };
}
