import type { SessionId } from '@placard/service-kit/pure';
import { NO_COUNTS, type CapCounts, type CapUnit } from '../../src/caps/domain/caps.js';
import type { CapStore, CapTime } from '../../src/caps/store/cap-store.js';

/** One unit of a fill. */
interface CountedUnit extends CapTime {
  readonly requestId: string;
}

/** Caps in memory. Every session begins with the given counts of fills, which never end. */
export function makeMemoryCaps(counts: CapCounts = NO_COUNTS): CapStore {
  const sessions = new Map<SessionId, CountedUnit[]>();
  const unitsOf = (sessionId: SessionId): CountedUnit[] => sessions.get(sessionId) ?? toUnits(counts);
  const put = (sessionId: SessionId, requestId: string, times: readonly CapTime[]): void => {
    const names = new Set(times.map(({ unit }) => unit));
    const others = unitsOf(sessionId).filter((one) => one.requestId !== requestId || !names.has(one.unit));
    sessions.set(sessionId, [...others, ...times.map((time) => ({ ...time, requestId }))]);
  };
  return {
    counts: (sessionId, nowMs) => Promise.resolve(countUnits(unitsOf(sessionId), nowMs)),
    claim({ sessionId, requestId }, claims, nowMs) {
      const units = unitsOf(sessionId);
      const others = countUnits(
        units.filter((one) => one.requestId !== requestId),
        nowMs,
      );
      const full = claims.find(({ unit, countMax }) => (others.get(unit) ?? 0) >= countMax);
      if (full !== undefined) return Promise.resolve({ unit: full.unit, counts: countUnits(units, nowMs) });
      put(sessionId, requestId, claims);
      return Promise.resolve(null);
    },
    settle({ sessionId, requestId }, times) {
      put(sessionId, requestId, times);
      return Promise.resolve();
    },
  };
}

function toUnits(counts: CapCounts): CountedUnit[] {
  return [...counts].flatMap(([unit, count]) =>
    Array.from({ length: count }, (_, n) => ({ unit, requestId: `before ${n}`, countsUntilMs: Infinity })),
  );
}

function countUnits(units: readonly CountedUnit[], nowMs: number): CapCounts {
  const counts = new Map<CapUnit, number>();
  for (const { unit, countsUntilMs } of units) {
    if (countsUntilMs > nowMs) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  return counts;
}
