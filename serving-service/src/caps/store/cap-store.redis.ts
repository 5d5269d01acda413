import { loadScript, type RedisClient } from '@placard/service-kit/redis';
import type { SessionId } from '@placard/service-kit/pure';
import type { CapCounts, CapUnit } from '../domain/caps.js';
import type { CapStore, CapTime } from './cap-store.js';

const claimScript = loadScript(import.meta.url, './cap-claim.lua');
const settleScript = loadScript(import.meta.url, './cap-settle.lua');

function keyOf(sessionId: SessionId): string {
  return `{ses:${sessionId}}:cap:fills`;
}

/** Caps in Redis: one sorted set, under the hash tag of the session, for each session with a claim. */
export function makeRedisCaps(redis: RedisClient): CapStore {
  return {
    async counts(sessionId, nowMs) {
      const members = await redis.zrangebyscore(keyOf(sessionId), `(${nowMs}`, '+inf');
      return countUnits(members);
    },

    async claim({ sessionId, requestId }, claims, nowMs) {
      const args: (string | number)[] = [nowMs, requestId, longestOf(claims, nowMs)];
      for (const { unit, countMax, countsUntilMs } of claims) args.push(unit, countMax, countsUntilMs);
      const answer = await claimScript.run(redis, [keyOf(sessionId)], args);
      if (!Array.isArray(answer)) return null;
      const [number, members] = answer as [number, string[]];
      const full = claims[number - 1];
      if (full === undefined) throw new Error(`the claim of caps has no unit ${number}`);
      return { unit: full.unit, counts: countUnits(members) };
    },

    async settle({ sessionId, requestId }, units, nowMs) {
      const longestMs = longestOf(units, nowMs);
      if (longestMs <= 0) {
        await redis.zrem(keyOf(sessionId), ...units.map(({ unit }) => `${unit}|${requestId}`));
        return;
      }
      const args: (string | number)[] = [nowMs, requestId, longestMs];
      for (const { unit, countsUntilMs } of units) args.push(unit, countsUntilMs);
      await settleScript.run(redis, [keyOf(sessionId)], args);
    },
  };
}

/** The longest time for which a unit counts from now on, in ms. Below 0: none counts. */
function longestOf(units: readonly CapTime[], nowMs: number): number {
  let lastMs = 0;
  for (const { countsUntilMs } of units) lastMs = Math.max(lastMs, countsUntilMs);
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
