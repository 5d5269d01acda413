import type { Tracing } from '@placard/service-kit';
import { gatherScript, loadScript, type RedisClient } from '@placard/service-kit/redis';
import type { SessionId } from '@placard/service-kit/pure';
import { OPEN_UNIT, type CapCounts, type CapUnit } from '../domain/caps.js';
import type { CapClaim, CapFill, CapRefusal, CapStore, CapTime } from './cap-store.js';

const claimScript = loadScript(import.meta.url, './cap-claim.lua');
const settleScript = loadScript(import.meta.url, './cap-settle.lua');

/** Most claims in one script: another command waits for it for about half a millisecond at most. */
const CLAIMS_PER_SCRIPT_MAX = 64;

/** A claim that waits for its script. */
interface Claiming {
  readonly fill: CapFill;
  readonly claims: readonly CapClaim[];
  readonly nowMs: number;
}

/** The fills that count for caps. */
function capsKey(sessionId: SessionId): string {
  return `{ses:${sessionId}}:cap:fills`;
}

/** The open fills. */
function openKey(sessionId: SessionId): string {
  return `{ses:${sessionId}}:cap:open`;
}

/**
 * Caps in Redis: for each session one sorted set of the fills that count for caps and one of the open fills, both under the
 * hash tag of the session. Claims of one turn of the event loop share a script. In a cluster only claims of one session do.
 */
export function makeRedisCaps(redis: RedisClient, tracing: Tracing | null): CapStore {
  const claim = gatherScript<Claiming, CapRefusal | null>(redis, tracing, {
    name: 'claim caps',
    itemsMax: CLAIMS_PER_SCRIPT_MAX,
    tagOf: ({ fill }) => fill.sessionId,
    run: (claimings) => runClaims(redis, claimings),
  });
  return {
    async counts(sessionId, nowMs) {
      const members = await redis.zrangebyscore(capsKey(sessionId), `(${nowMs}`, '+inf');
      return countUnits(members);
    },
    claim: (fill, claims, nowMs) => claim({ fill, claims, nowMs }),
    async settle({ sessionId, requestId }, units, nowMs) {
      if (units.every(({ unit }) => unit === OPEN_UNIT) && lifeOf(units, nowMs, true) === 0) {
        await redis.zrem(openKey(sessionId), requestId);
        return;
      }
      const args: (string | number)[] = [nowMs, requestId, ...livesOf(units, nowMs)];
      for (const { unit, countsUntilMs } of units) args.push(unit, countsUntilMs);
      await settleScript.run(redis, [capsKey(sessionId), openKey(sessionId)], args);
    },
  };
}

async function runClaims(
  redis: RedisClient,
  claimings: readonly Claiming[],
): Promise<readonly (CapRefusal | null)[]> {
  const keys: string[] = [];
  const args: (string | number)[] = [];
  for (const { fill, claims, nowMs } of claimings) {
    keys.push(capsKey(fill.sessionId), openKey(fill.sessionId));
    args.push(nowMs, fill.requestId, ...livesOf(claims, nowMs), claims.length);
    for (const { unit, countMax, countsUntilMs } of claims) args.push(unit, countMax, String(countsUntilMs));
  }
  const answers = (await claimScript.run(redis, keys, [JSON.stringify(args)])) as readonly unknown[];
  return claimings.map(({ claims }, index) => toRefusal(claims, answers[index]));
}

/** Null: claimed. */
function toRefusal(claims: readonly CapClaim[], answer: unknown): CapRefusal | null {
  if (answer === 0) return null;
  const [number, members] = answer as [number, string[]];
  const full = claims[number - 1];
  if (full === undefined) throw new Error(`the claim of caps has no unit ${number}`);
  return { unit: full.unit, counts: countUnits(members) };
}

/** The longest time for which a unit of each key counts from now on, in whole ms: that of caps, that of open fills. */
function livesOf(units: readonly CapTime[], nowMs: number): readonly [number, number] {
  return [lifeOf(units, nowMs, false), lifeOf(units, nowMs, true)];
}

/** 0: no unit of the key counts. */
function lifeOf(units: readonly CapTime[], nowMs: number, isOfOpen: boolean): number {
  let lastMs = nowMs;
  for (const { unit, countsUntilMs } of units) {
    if ((unit === OPEN_UNIT) === isOfOpen) lastMs = Math.max(lastMs, countsUntilMs);
  }
  return Math.ceil(lastMs - nowMs);
}

function countUnits(members: readonly string[]): CapCounts {
  const counts = new Map<CapUnit, number>();
  for (const member of members) {
    const unit = member.slice(0, member.lastIndexOf('|')) as CapUnit;
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  return counts;
}
