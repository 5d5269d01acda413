import { appError, servingAll, type Tracing } from '@placard/service-kit';
import { loadScript, redisFault, type RedisClient } from '@placard/service-kit/redis';
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

/** A claim that waits for its judgement. */
interface Waiting {
  readonly claim: Claim;
  /** Of the call of the claim. Null: it is not traced. */
  readonly traceparent: string | null;
  readonly resolve: (judgement: Judgement) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counters in Redis: sorted sets `{ses:<id>}:fr:…` of request ids by their arrival, so that windows roll exactly.
 * Claims of the same turn share a script. In a cluster only claims of one session do, because all keys of a script must
 * be in one slot.
 */
export function makeRedisSessionCounters(redis: RedisClient, tracing: Tracing | null): SessionCounters {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const gathered = waiting;
    waiting = [];
    for (const group of groupsOf(gathered, redis.isCluster)) {
      const traceparents = group.map(({ traceparent }) => traceparent);
      void servingAll(tracing, traceparents, 'judge claims', () => runGroup(redis, group));
    }
  };
  return {
    claim: (claim) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(flush);
        const traceparent = tracing?.traceparent() ?? null;
        waiting.push({ claim, traceparent, resolve, reject });
      }),
  };
}

/** Groups of claims that may share a script. Claims of one session keep their order. */
function groupsOf(gathered: readonly Waiting[], isCluster: boolean): readonly (readonly Waiting[])[] {
  if (!isCluster && gathered.length <= CLAIMS_PER_SCRIPT_MAX) return [gathered];
  const groups: Waiting[][] = [];
  const open = new Map<string, Waiting[]>();
  for (const one of gathered) {
    const key = isCluster ? one.claim.sessionId : '';
    let group = open.get(key);
    if (group === undefined || group.length === CLAIMS_PER_SCRIPT_MAX) {
      group = [];
      open.set(key, group);
      groups.push(group);
    }
    group.push(one);
  }
  return groups;
}

/** Never rejects. Each of its claims may reject. */
async function runGroup(redis: RedisClient, group: readonly Waiting[]): Promise<void> {
  const keys: string[] = [];
  const args: (string | number)[] = [];
  for (const { claim } of group) addTo(keys, args, claim);
  try {
    const replies = (await claimScript.run(redis, keys, args)) as readonly unknown[];
    for (const [index, { claim, resolve }] of group.entries())
      resolve(fromReply(replies[index], claim.limits));
  } catch (cause) {
    const error = appError('unavailable', redisFault('The fraud counters', cause), { cause });
    for (const { reject } of group) reject(error);
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
  args.push(claim.requestId, atMs, counters.length, countedCount, limits.length, shadowLimits);
  for (const { ttlMs, forgetAfterMs } of counters) {
    args.push(ttlMs, forgetAfterMs === null ? '' : atMs - forgetAfterMs);
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
