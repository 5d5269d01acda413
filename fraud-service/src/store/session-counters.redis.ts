import { appError, type Tracing } from '@placard/service-kit';
import { gatherScript, loadScript, redisFault, type RedisClient } from '@placard/service-kit/redis';
import type { Claim, Limit } from '../domain/claim.js';
import { PASSES, type Judgement } from '../domain/judgement.js';
import type { CounterName } from '../domain/rule.js';
import type { SessionCounters } from './session-counters.js';

const claimScript = loadScript(import.meta.url, './claim.lua');

/** Most claims of one script, so that no other command of Redis waits longer than about half a millisecond. */
const CLAIMS_PER_SCRIPT_MAX = 64;
/** The factor of the shadow bits in an answer of `claim.lua`. */
const SHADOW_SCALE = 16;

const KEY_PARTS: Readonly<Record<CounterName, string>> = {
  ad_requests: 'req',
  session_impressions: 'imp',
  placement_impressions: 'imp',
  clicks: 'clk',
};

/**
 * Counters in Redis: sorted sets `{ses:<id>}:fr:…` of request ids by their arrival, so that windows roll exactly.
 * Claims of one turn of the event loop share a script. In a cluster only claims of one session do, because all keys of a
 * script must be in one slot.
 */
export function makeRedisSessionCounters(redis: RedisClient, tracing: Tracing | null): SessionCounters {
  const claim = gatherScript<Claim, Judgement>(redis, tracing, {
    name: 'judge claims',
    itemsMax: CLAIMS_PER_SCRIPT_MAX,
    tagOf: ({ sessionId }) => sessionId,
    run: (claims) => runClaims(redis, claims),
  });
  return { claim };
}

async function runClaims(redis: RedisClient, claims: readonly Claim[]): Promise<readonly Judgement[]> {
  const keys: string[] = [];
  const args: (string | number)[] = [];
  for (const claim of claims) addTo(keys, args, claim);
  try {
    const replies = (await claimScript.run(redis, keys, [JSON.stringify(args)])) as readonly unknown[];
    return claims.map(({ limits }, index) => fromReply(replies[index], limits));
  } catch (cause) {
    throw appError('unavailable', redisFault('The fraud counters', cause), { cause });
  }
}

/** Appends the keys and arguments of a claim in the format of `claim.lua`. */
function addTo(keys: string[], args: (string | number)[], claim: Claim): void {
  const { counters, limits, atMs } = claim;
  let countedCount = 0;
  let shadowLimits = 0;
  for (const { name, isCounted } of counters) {
    keys.push(toKey(claim, name));
    if (isCounted) countedCount += 1;
  }
  for (const [index, { isShadow }] of limits.entries()) if (isShadow) shadowLimits += 2 ** index;
  args.push(claim.requestId, String(atMs), counters.length, countedCount, limits.length, shadowLimits);
  for (const { ttlMs, forgetAfterMs } of counters) {
    args.push(ttlMs, forgetAfterMs === null ? '' : String(atMs - forgetAfterMs));
  }
  for (const limit of limits) addLimitTo(args, limit, claim);
}

function addLimitTo(args: (string | number)[], limit: Limit, { atMs, counters }: Claim): void {
  const placeOf = (name: CounterName): number => counters.findIndex((counter) => counter.name === name) + 1;
  const key = placeOf(limit.counter);
  if (limit.kind === 'window') args.push('window', key, limit.max, `(${atMs - limit.windowMs}`, '');
  else args.push('ratio', key, limit.max, placeOf(limit.baseCounter), limit.baseMin);
}

function toKey(claim: Claim, counter: CounterName): string {
  const key = `{ses:${claim.sessionId}}:fr:${KEY_PARTS[counter]}`;
  return counter === 'placement_impressions' ? `${key}:${claim.placement ?? ''}` : key;
}

function fromReply(reply: unknown, limits: readonly Limit[]): Judgement {
  if (reply === 0) return PASSES;
  if (typeof reply !== 'number') throw new Error(`claim.lua answered ${String(reply)}`);
  const position = reply % SHADOW_SCALE;
  const shadowBits = Math.floor(reply / SHADOW_SCALE);
  const verdict = position === 0 ? null : limits[position - 1]?.rule;
  if (verdict === undefined) throw new Error(`claim.lua answered ${reply}`);
  const shadowed = limits.filter((_, index) => (shadowBits & (2 ** index)) !== 0).map(({ rule }) => rule);
  return { verdict, shadowed };
}
