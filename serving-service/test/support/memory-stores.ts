import type { CapUnit } from '../../src/caps/domain/caps.js';
import type { CapStore } from '../../src/caps/store/cap-store.js';

/** Caps of one session that start with the given counts. */
export function makeMemoryCaps(counts: ReadonlyMap<CapUnit, number>): CapStore {
  const held = new Map(counts);
  return {
    counts: () => Promise.resolve(new Map(held)),
    claim(_, claims) {
      const full = claims.find(({ unit, countMax }) => (held.get(unit) ?? 0) >= countMax);
      if (full !== undefined) return Promise.resolve({ unit: full.unit, counts: new Map(held) });
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
