import { loadScript, type RedisClient } from '@placard/service-kit';
import type { SessionId } from '@placard/service-kit/pure';
import type { CapCounts, CapUnit } from '../domain/caps.js';
import type { CapStore } from './cap-store.js';

const claimScript = loadScript(import.meta.url, './cap-claim.lua');
const settleScript = loadScript(import.meta.url, './cap-settle.lua');

function keyOf(sessionId: SessionId): string {
  return `{ses:${sessionId}}:cap:fills`;
}

/** Caps in Redis: one sorted set for each session that has met a cap, under the session's hash tag. */
export function makeRedisCaps(redis: RedisClient): CapStore {
  return {
    async counts(sessionId, nowMs) {
      const members = await redis.zrangebyscore(keyOf(sessionId), `(${nowMs}`, '+inf');
      return countUnits(members);
    },

    async claim({ sessionId, requestId }, claims, nowMs) {
      const args = claims.flatMap(({ unit, countMax, countsUntilMs }) => [unit, countMax, countsUntilMs]);
      const full = await claimScript.run(redis, [keyOf(sessionId)], [nowMs, requestId, ...args]);
      return claims[Number(full) - 1]?.unit ?? null;
    },

    async settle({ sessionId, requestId }, units, nowMs) {
      const args = units.flatMap(({ unit, countsUntilMs }) => [unit, countsUntilMs]);
      await settleScript.run(redis, [keyOf(sessionId)], [nowMs, requestId, ...args]);
    },
  };
}

function countUnits(members: readonly string[]): CapCounts {
  const counts = new Map<CapUnit, number>();
  for (const member of members) {
    const unit = member.slice(0, member.lastIndexOf('|')) as CapUnit;
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  return counts;
}
