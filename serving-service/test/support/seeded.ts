import type { BudgetSeed } from '../../src/domain/budget.js';
import type { BudgetStore } from '../../src/store/budget-store.js';

/** Opens the advertiser's shard and seeds it, as the use case does; answers how many counters were set. */
export async function seedBudgets(budgets: BudgetStore, seed: BudgetSeed): Promise<number | null> {
  const { generation } = await budgets.open(seed.advertiserId);
  return budgets.seed(seed, generation);
}
