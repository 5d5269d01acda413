import { loadScript, type RedisClient } from '@placard/service-kit';
import {
  asAdvertiserId,
  DAY_MS,
  dayOf,
  MINUTE_MS,
  minuteOf,
  type AdvertiserId,
  type Nanos,
} from '@placard/service-kit/pure';
import {
  fillMinute,
  RESERVE_CANDIDATES_MAX,
  type BudgetSeed,
  type CampaignMinute,
  type FillTime,
  type ReservedFill,
  type ReserveFinding,
  type ReserveItem,
  type ReserveVerdict,
} from '../domain/budget.js';
import { budgetKeys, dueKey, fromMember, shardOf, toMember } from './budget-keys.js';
import type { BudgetStore } from './budget-store.js';

const reserveScript = loadScript(import.meta.url, './budget-reserve.lua');
const releaseScript = loadScript(import.meta.url, './budget-release.lua');
const shownScript = loadScript(import.meta.url, './budget-shown.lua');
const closeScript = loadScript(import.meta.url, './budget-close.lua');
const seedScript = loadScript(import.meta.url, './budget-seed.lua');

/** A campaign-day is of use until its last minute is closed; days of waiting for events-service are allowed for. */
const DAY_LIFE_MS = 7 * DAY_MS;
/** Fates are dropped when their minute is closed; this is for those that never are. */
const FATES_LIFE_MS = 2 * DAY_MS;

/** Budgets in Redis, spread over `shards` hash tags by advertiser. */
export function makeRedisBudgets(redis: RedisClient, shards: number): BudgetStore {
  const advertiserKey = (id: AdvertiserId): string => budgetKeys(id, shards).advertiser;
  return {
    shardOf: (advertiserId) => shardOf(advertiserId, shards),
    reserve: (items, time) => reserve(redis, items, { time, shards, isPeek: false }),
    peek: (items, time) => reserve(redis, items, { time, shards, isPeek: true }),

    async release(fill) {
      const { keys, args } = fateCall(fill, shards);
      return (await releaseScript.run(redis, keys, args)) === 1;
    },

    async markShown(fill, atMs) {
      const { keys, args } = fateCall(fill, shards);
      const [, day, , minute, fates] = keys;
      await shownScript.run(redis, [day, minute, fates], [...args, minuteOf(atMs)]);
    },

    async seed(seed) {
      const { keys, args } = seedCall(seed, shards);
      return Number(await seedScript.run(redis, keys, args));
    },

    isKnown: async (advertiserId) => (await redis.exists(advertiserKey(advertiserId))) === 1,
    minutesOver: (overAtMs, countMax) => minutesOver(redis, shards, { overAtMs, countMax }),

    async closeMinute(minute, acceptedNanos) {
      const { keys, args } = closeCall(minute, acceptedNanos, shards);
      const rest = await closeScript.run(redis, keys, args);
      return rest === '' ? 0n : BigInt(String(rest));
    },

    async countOpenMinutes() {
      const counts = await Promise.all(dueKeys(shards).map((key) => redis.zcard(key)));
      return counts.reduce((sum, count) => sum + count, 0);
    },

    async advertiserUsed(advertiserId) {
      const used = await redis.hget(advertiserKey(advertiserId), 'u');
      return used === null ? null : BigInt(used);
    },
  };
}

function dueKeys(shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => dueKey(shard));
}

async function reserve(
  redis: RedisClient,
  items: readonly ReserveItem[],
  options: { readonly time: FillTime; readonly shards: number; readonly isPeek: boolean },
): Promise<readonly ReserveFinding[]> {
  if (items.length === 0) return [];
  if (items.length > RESERVE_CANDIDATES_MAX) throw new Error(`too many candidates: ${items.length}`);
  const { keys, args } = reserveCall(items, options.time, options);
  return ((await reserveScript.run(redis, keys, args)) as string[]).map(toFinding);
}

async function minutesOver(
  redis: RedisClient,
  shards: number,
  { overAtMs, countMax }: { readonly overAtMs: number; readonly countMax: number },
): Promise<readonly CampaignMinute[]> {
  const found = await Promise.all(
    dueKeys(shards).map((key) =>
      redis.zrangebyscore(key, '-inf', overAtMs, 'WITHSCORES', 'LIMIT', 0, countMax),
    ),
  );
  return found
    .flatMap(toMinutes)
    .sort((a, b) => a.expiresAtMs - b.expiresAtMs)
    .slice(0, countMax);
}

function closeCall(minute: CampaignMinute, acceptedNanos: Nanos, shards: number): ScriptCall {
  const { campaignId } = minute;
  const keys = budgetKeys(minute.advertiserId, shards);
  return {
    keys: [
      keys.due,
      keys.minute(campaignId, minute.minute),
      keys.total(campaignId),
      keys.day(campaignId, dayOf(minute.minute * MINUTE_MS)),
      keys.advertiser,
      keys.fates(campaignId, minute.minute),
    ],
    args: [toMember(minute), acceptedNanos.toString(), dayOf(minute.minute * MINUTE_MS)],
  };
}

interface ScriptCall {
  readonly keys: string[];
  readonly args: (string | number)[];
}

function reserveCall(
  items: readonly ReserveItem[],
  time: FillTime,
  { shards, isPeek }: { readonly shards: number; readonly isPeek: boolean },
): ScriptCall {
  const minute = minuteOf(time.filledAtMs);
  const day = dayOf(time.filledAtMs);
  const shard = shardOf(items[0]?.advertiserId ?? asAdvertiserId(''), shards);
  const call: ScriptCall = {
    keys: [dueKey(shard)],
    args: [time.filledAtMs, minute, day, time.expiresAtMs, isPeek ? '1' : '0', DAY_LIFE_MS],
  };
  for (const item of items) {
    const keys = budgetKeys(item.advertiserId, shards);
    if (keys.due !== dueKey(shard)) throw new Error('candidates of one step must share a shard');
    const { campaignId } = item;
    call.keys.push(keys.total(campaignId), keys.day(campaignId, day), keys.advertiser);
    call.keys.push(keys.minute(campaignId, minute));
    const rooms = [item.totalRoomNanos, item.dayRoomNanos, item.balanceRoomNanos];
    call.args.push(item.costNanos.toString(), ...rooms.map((room) => room?.toString() ?? ''));
    call.args.push(...paceArguments(item), toMember({ ...item, minute }));
  }
  return call;
}

function paceArguments({ pace }: ReserveItem): (string | number)[] {
  if (pace === null) return ['', '', '', '', '', '', ''];
  const { planNanos, mostNanos, show, late } = pace.limits;
  const anchor = pace.anchor === null ? '' : `${pace.anchor.atMs}|${pace.anchor.spentNanos.toString()}`;
  const since = pace.anchorSinceMs ?? '';
  return [planNanos, mostNanos ?? '', show, late, anchor, pace.budgetNanos.toString(), since];
}

function toFinding(answer: string): ReserveFinding {
  const [verdict, at, spent, budget] = answer.split('|');
  if (verdict !== 'anchor' || at === undefined || spent === undefined || budget === undefined) {
    return { verdict: answer as ReserveVerdict, anchor: null };
  }
  const anchor = { atMs: Number(at), spentNanos: BigInt(spent), budgetNanos: BigInt(budget) };
  return { verdict: 'anchor', anchor };
}

function fateCall(fill: ReservedFill, shards: number) {
  const keys = budgetKeys(fill.advertiserId, shards);
  const { campaignId } = fill;
  const minute = fillMinute(fill);
  return {
    keys: [
      keys.total(campaignId),
      keys.day(campaignId, dayOf(fill.filledAtMs)),
      keys.advertiser,
      keys.minute(campaignId, minute),
      keys.fates(campaignId, minute),
    ] as const,
    args: [fill.requestId, fill.costNanos.toString(), minute, FATES_LIFE_MS],
  };
}

function seedCall(seed: BudgetSeed, shards: number): ScriptCall {
  const keys = budgetKeys(seed.advertiserId, shards);
  const today = seed.campaigns[0]?.today.day ?? 0;
  const call: ScriptCall = {
    keys: [keys.due, keys.advertiser],
    args: [seed.usedNanos.toString(), today, DAY_LIFE_MS, seed.campaigns.length],
  };
  for (const campaign of seed.campaigns) {
    call.keys.push(keys.total(campaign.campaignId));
    call.args.push(campaign.usedNanos.toString());
    for (const day of [campaign.today, campaign.yesterday]) {
      call.keys.push(keys.day(campaign.campaignId, day.day));
      call.args.push(day.usedNanos.toString(), day.acceptedNanos.toString());
    }
  }
  for (const open of seed.openMinutes) {
    call.keys.push(keys.minute(open.campaignId, open.minute));
    call.args.push(open.reservedNanos.toString(), open.acceptedNanos.toString(), open.expiresAtMs);
    call.args.push(toMember({ ...open, advertiserId: seed.advertiserId }));
  }
  return call;
}

function toMinutes(membersAndScores: readonly string[]): CampaignMinute[] {
  const minutes: CampaignMinute[] = [];
  for (let at = 0; at < membersAndScores.length; at += 2) {
    minutes.push(fromMember(membersAndScores[at] ?? '', Number(membersAndScores[at + 1])));
  }
  return minutes;
}
