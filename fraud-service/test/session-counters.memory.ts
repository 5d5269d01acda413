import { isRatioExceeded, isWindowFull, type CounterName, type Limit } from '../src/domain/limit.js';
import type { Claim } from '../src/domain/claim.js';
import type { SessionCounters } from '../src/store/session-counters.js';

/** Counters in memory that follow the domain's words literally: what `claim.lua` must agree with. */
export function makeMemorySessionCounters(): SessionCounters {
  const counters = new Map<string, Map<string, number>>();
  const entriesOf = (claim: Claim, name: CounterName): Map<string, number> => {
    const key = [claim.sessionId, name, name === 'placement_impressions' ? claim.placement : ''].join('/');
    const known = counters.get(key) ?? new Map<string, number>();
    counters.set(key, known);
    return known;
  };
  const isBroken = (claim: Claim, limit: Limit): boolean => {
    const entries = entriesOf(claim, limit.counter);
    if (limit.kind === 'ratio') {
      return isRatioExceeded(limit, entries.size, entriesOf(claim, limit.baseCounter).size);
    }
    const inWindow = [...entries.values()].filter((atMs) => atMs > claim.atMs - limit.windowMs);
    return isWindowFull(limit, inWindow.length);
  };
  return {
    claim: (claims) =>
      Promise.resolve(
        claims.map((claim) => {
          const [first] = claim.counters;
          for (const { name, forgetUntilMs } of claim.counters) forget(entriesOf(claim, name), forgetUntilMs);
          if (first !== undefined && entriesOf(claim, first.name).has(claim.requestId)) return null;
          const broken = claim.limits.find((limit) => isBroken(claim, limit));
          if (broken !== undefined) return broken.rule;
          for (const { name, isCounted } of claim.counters) {
            if (isCounted) entriesOf(claim, name).set(claim.requestId, claim.atMs);
          }
          return null;
        }),
      ),
  };
}

function forget(entries: Map<string, number>, untilMs: number | null): void {
  for (const [id, atMs] of entries) if (untilMs !== null && atMs <= untilMs) entries.delete(id);
}
