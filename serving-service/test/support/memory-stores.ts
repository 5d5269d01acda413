import type { CampaignId } from '@placard/service-kit/pure';
import type { ReserveItem, ReserveVerdict } from '../../src/domain/budget.js';
import type { CapUnit } from '../../src/domain/caps.js';
import type { BudgetStore } from '../../src/store/budget-store.js';
import type { CapStore } from '../../src/store/cap-store.js';

/** Budgets that are enough for everyone but the named campaigns. */
export function makeMemoryBudgets(gone: ReadonlyMap<CampaignId, ReserveVerdict>): BudgetStore {
  const verdictOf = (item: ReserveItem): ReserveVerdict => gone.get(item.campaignId) ?? 'reserved';
  return {
    shardOf: () => 0,
    reserve(items) {
      const winner = items.findIndex((item) => verdictOf(item) === 'reserved');
      return Promise.resolve(
        items.map((item, at) => ({
          verdict: winner >= 0 && at > winner ? 'untried' : verdictOf(item),
          anchor: null,
        })),
      );
    },
    peek: (items) => Promise.resolve(items.map((item) => ({ verdict: verdictOf(item), anchor: null }))),
    release: () => Promise.resolve(true),
    markShown: () => Promise.resolve(),
    open: () => Promise.resolve({ generation: '1', isAlone: true, quietMs: 0 }),
    openShard: () => Promise.resolve({ generation: '1', isAlone: true, quietMs: 0 }),
    beat: () => Promise.resolve([]),
    seed: () => Promise.resolve(0),
    renew: () => Promise.resolve(),
    generationOf: () => Promise.resolve('1'),
    isKnown: () => Promise.resolve(true),
    minutesOver: () => Promise.resolve([]),
    closeMinute: () => Promise.resolve(0n),
    countOpenMinutes: () => Promise.resolve(0),
    raise: () => Promise.resolve(0n),
    openMinutes: () => Promise.resolve([]),
    heldBy: () => Promise.resolve([]),
    advertiserUsed: () => Promise.resolve(null),
  };
}

/** Caps of one session that start with the given counts. */
export function makeMemoryCaps(counts: ReadonlyMap<CapUnit, number>): CapStore {
  const held = new Map(counts);
  return {
    counts: () => Promise.resolve(new Map(held)),
    claim(_, claims, { replaced = [] }) {
      for (const unit of replaced) held.set(unit, (held.get(unit) ?? 0) - 1);
      const full = claims.find(({ unit, countMax }) => (held.get(unit) ?? 0) >= countMax);
      if (full !== undefined) return Promise.resolve(full.unit);
      for (const { unit } of claims) held.set(unit, (held.get(unit) ?? 0) + 1);
      return Promise.resolve(null);
    },
    settle(_, units, nowMs) {
      for (const { unit, countsUntilMs } of units) {
        if (countsUntilMs <= nowMs) held.set(unit, Math.max(0, (held.get(unit) ?? 0) - 1));
      }
      return Promise.resolve();
    },
  };
}
