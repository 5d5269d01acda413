import type { Claim, Limit } from '../src/domain/claim.js';
import type { Judgement } from '../src/domain/judgement.js';
import type { CounterName } from '../src/domain/rule.js';
import type { SessionCounters } from '../src/store/session-counters.js';

type Entries = Map<string, number>;

/** The expected judgements, computed from plain lists of passed claims: slow, but easy to check. */
export function makeCountersModel(): (claim: Claim) => Judgement {
  const counters = new Map<string, Entries>();
  const entriesOf = (claim: Claim, name: CounterName): Entries => {
    const key = [claim.sessionId, name, name === 'placement_impressions' ? claim.placement : ''].join('/');
    const known = counters.get(key) ?? new Map<string, number>();
    counters.set(key, known);
    return known;
  };
  const isBroken = (claim: Claim, limit: Limit): boolean => {
    const entries = entriesOf(claim, limit.counter);
    if (limit.kind === 'ratio') {
      const baseCount = entriesOf(claim, limit.baseCounter).size;
      return baseCount >= limit.baseMin && (entries.size + 1) / baseCount > limit.max;
    }
    return [...entries.values()].filter((atMs) => atMs > claim.atMs - limit.windowMs).length >= limit.max;
  };
  return (claim) => {
    const [first] = claim.counters;
    for (const { name, forgetAfterMs } of claim.counters) {
      const untilMs = forgetAfterMs === null ? Number.NEGATIVE_INFINITY : claim.atMs - forgetAfterMs;
      const entries = entriesOf(claim, name);
      for (const [id, atMs] of entries) if (atMs <= untilMs) entries.delete(id);
    }
    if (first !== undefined && entriesOf(claim, first.name).has(claim.requestId)) {
      return { verdict: null, shadowed: [] };
    }
    const broken = claim.limits.filter((limit) => isBroken(claim, limit));
    const enforced = broken.findIndex(({ isShadow }) => !isShadow);
    const before = enforced < 0 ? broken : broken.slice(0, enforced);
    const verdict = broken[enforced]?.rule ?? null;
    for (const { name, isCounted } of claim.counters) {
      if (isCounted && verdict === null) entriesOf(claim, name).set(claim.requestId, claim.atMs);
    }
    return { verdict, shadowed: before.map(({ rule }) => rule) };
  };
}

/** Counters that are the model. */
export function makeModelCounters(): SessionCounters {
  const judge = makeCountersModel();
  return { claim: (claim) => Promise.resolve(judge(claim)) };
}
