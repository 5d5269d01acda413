import { appError, loadScript, redisFault, type RedisClient } from '@placard/service-kit';
import type { Claim, ClaimCounter } from '../domain/claim.js';
import type { CounterName, Limit } from '../domain/limit.js';
import type { Verdict } from '../domain/verdict.js';
import type { SessionCounters } from './session-counters.js';

const claimScript = loadScript(import.meta.url, './claim.lua');

const KEY_PARTS: Readonly<Record<CounterName, string>> = {
  ad_requests: 'req',
  session_impressions: 'imp',
  placement_impressions: 'imp',
  clicks: 'clk',
};

/**
 * Counters in Redis: sorted sets `{ses:<id>}:fr:…` of request ids by their arrival, so that windows roll exactly. All
 * calls are sent before the first answer is awaited, so that they share a round trip.
 */
export function makeRedisSessionCounters(redis: RedisClient): SessionCounters {
  const runOne = async (claim: Claim): Promise<Verdict> => {
    const keys = claim.counters.map((counter) => toKey(claim, counter.name));
    return fromReply(await claimScript.run(redis, keys, toArgs(claim)), claim.limits);
  };
  return {
    async claim(claims) {
      try {
        return await Promise.all(claims.map(runOne));
      } catch (cause) {
        throw appError('unavailable', redisFault('The fraud counters', cause), { cause });
      }
    },
  };
}

function toKey(claim: Claim, counter: CounterName): string {
  const key = `{ses:${claim.sessionId}}:fr:${KEY_PARTS[counter]}`;
  return counter === 'placement_impressions' ? `${key}:${claim.placement ?? ''}` : key;
}

/** The arguments as `claim.lua` names them. */
function toArgs(claim: Claim): (string | number)[] {
  const { counters } = claim;
  // The script counts in the first so many keys.
  const countedCount = counters.filter((counter) => counter.isCounted).length;
  return [
    claim.requestId,
    claim.atMs,
    countedCount,
    ...counters.flatMap((counter) => [counter.ttlMs, counter.forgetUntilMs ?? '']),
    ...claim.limits.flatMap((limit) => toLimitArgs(limit, claim.atMs, counters)),
  ];
}

function toLimitArgs(limit: Limit, atMs: number, counters: readonly ClaimCounter[]): (string | number)[] {
  const keyOf = (name: CounterName): number => counters.findIndex((counter) => counter.name === name) + 1;
  if (limit.kind === 'window') {
    return ['window', keyOf(limit.counter), atMs - limit.windowMs, limit.max, ''];
  }
  return ['ratio', keyOf(limit.counter), keyOf(limit.baseCounter), limit.max, limit.baseMin];
}

function fromReply(reply: unknown, limits: readonly Limit[]): Verdict {
  if (reply === 0) return null;
  const broken = typeof reply === 'number' ? limits[reply - 1] : undefined;
  if (broken === undefined) throw new Error(`claim.lua answered ${String(reply)}`);
  return broken.rule;
}
