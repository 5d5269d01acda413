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
  type HeldMinute,
  type ReservedFill,
  type ReserveFinding,
  type ReserveItem,
  type ReserveVerdict,
} from '../domain/budget.js';
import { budgetKeys, dueKey, fromMember, shardOf, toMember, type BudgetKeys } from './budget-keys.js';
import type { BudgetStore, Generation } from './budget-store.js';
import { ShardMemories, type MemoryOptions } from './shard-memory.redis.js';

const reserveScript = loadScript(import.meta.url, './budget-reserve.lua');
const releaseScript = loadScript(import.meta.url, './budget-release.lua');
const shownScript = loadScript(import.meta.url, './budget-shown.lua');
const closeScript = loadScript(import.meta.url, './budget-close.lua');
const raiseScript = loadScript(import.meta.url, './budget-raise.lua');
const seedScript = loadScript(import.meta.url, './budget-seed.lua');

/** A campaign-day is of use until its last minute is closed; days of waiting for events-service are allowed for. */
const DAY_LIFE_MS = 7 * DAY_MS;
/** Fates are dropped when their minute is closed; this is for those that never are. */
const FATES_LIFE_MS = 2 * DAY_MS;

/** Budgets in Redis, spread over `shards` hash tags by advertiser; `replicaId` names this process's life. */
export function makeRedisBudgets(
  redis: RedisClient,
  shards: number,
  replicaId: string,
  options: MemoryOptions = {},
): BudgetStore {
  const memories = new ShardMemories(redis, replicaId, options);
  const keysOf = (id: AdvertiserId) => budgetKeys(id, shards);
  return {
    shardOf: (advertiserId) => shardOf(advertiserId, shards),
    reserve: (items, time) => reserve(redis, items, { time, shards, memories, isPeek: false }),
    peek: (items, time) => reserve(redis, items, { time, shards, memories, isPeek: true }),
    open: (advertiserId) => memories.open(shardOf(advertiserId, shards)),
    openShard: (shard) => memories.open(shard),
    beat: () => memories.beat(),

    async release(fill) {
      const { keys, args } = fateCall(fill, shards);
      return (await releaseScript.run(redis, keys, args)) === 1;
    },

    async markShown(fill, atMs) {
      const { keys, args } = fateCall(fill, shards);
      const [, day, , minute, fates] = keys;
      await shownScript.run(redis, [day, minute, fates], [...args, minuteOf(atMs)]);
    },

    async seed(seed, generation) {
      const { keys, args } = seedCall(seed, { shards, generation });
      const count = Number(await seedScript.run(redis, keys, args));
      return count < 0 ? null : count;
    },

    renew: (advertiserId, generation) => memories.renew(shardOf(advertiserId, shards), generation),
    generationOf: (advertiserId) => redis.get(keysOf(advertiserId).generation),
    isKnown: async (advertiserId) => (await usedOf(redis, keysOf(advertiserId))) !== null,
    minutesOver: (overAtMs, countMax) => minutesOver(redis, shards, { overAtMs, countMax }),

    async closeMinute(minute, acceptedNanos) {
      const { keys, args } = closeCall(minute, acceptedNanos, shards);
      const rest = await closeScript.run(redis, keys, args);
      return rest === '' ? 0n : BigInt(String(rest));
    },

    async raise(minute, reservedNanos) {
      if (reservedNanos <= 0n) return 0n;
      const [, minuteKey, total, day, advertiser] = closeKeys(minute, shards);
      const keys = [minuteKey, total, day, advertiser];
      return BigInt(String(await raiseScript.run(redis, keys, [reservedNanos.toString()])));
    },

    async countOpenMinutes() {
      const counts = await Promise.all(dueKeys(shards).map((key) => redis.zcard(key)));
      return counts.reduce((sum, count) => sum + count, 0);
    },

    openMinutes: (countMax) => openMinutes(redis, shards, countMax),
    heldBy: (minutes) => Promise.all(minutes.map((minute) => heldBy(redis, keysOf, minute))),
    advertiserUsed: (advertiserId) => usedOf(redis, keysOf(advertiserId)),
  };
}

/** Null where the advertiser's counter is missing in the shard's generation. */
async function usedOf(redis: RedisClient, { advertiser, generation }: BudgetKeys): Promise<Nanos | null> {
  const [current, [used, of]] = await Promise.all([redis.get(generation), redis.hmget(advertiser, 'u', 'g')]);
  return current === null || current !== of || !used ? null : BigInt(used);
}

async function openMinutes(
  redis: RedisClient,
  shards: number,
  countMax: number,
): Promise<readonly CampaignMinute[]> {
  const found = await dueMinutes(redis, shards, (key) => redis.zrevrange(key, 0, countMax - 1, 'WITHSCORES'));
  return found.sort((a, b) => b.expiresAtMs - a.expiresAtMs).slice(0, countMax);
}

/**
 * What `read` finds among the due minutes of each shard. With another number of shards than before, advertisers have moved:
 * what a list still has of one that is elsewhere now stands for counters that nobody believes any more, and leaves it.
 */
async function dueMinutes(
  redis: RedisClient,
  shards: number,
  read: (dueKey: string) => Promise<readonly string[]>,
): Promise<CampaignMinute[]> {
  const found = await Promise.all(
    dueKeys(shards).map(async (key, shard) => {
      const minutes = toMinutes(await read(key));
      const isHere = ({ advertiserId }: CampaignMinute): boolean => shardOf(advertiserId, shards) === shard;
      const moved = minutes.filter((minute) => !isHere(minute));
      if (moved.length > 0) await redis.zrem(key, ...moved.map(toMember));
      return minutes.filter(isHere);
    }),
  );
  return found.flat();
}

async function heldBy(
  redis: RedisClient,
  keysOf: (id: AdvertiserId) => BudgetKeys,
  minute: CampaignMinute,
): Promise<HeldMinute | null> {
  const keys = keysOf(minute.advertiserId);
  const [[reserved, shown, open, of], current] = await Promise.all([
    redis.hmget(keys.minute(minute.campaignId, minute.minute), 'r', 's', 'n', 'g'),
    redis.hget(keys.advertiser, 'g'),
  ]);
  if (!reserved || !of || of !== current) return null;
  return {
    ...minute,
    reservedNanos: BigInt(reserved),
    shownNanos: BigInt(shown ?? '0'),
    openCount: Math.max(0, Number(open ?? '0')),
    generation: of,
  };
}

function dueKeys(shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => dueKey(shard));
}

interface ReserveOptions {
  readonly time: FillTime;
  readonly shards: number;
  readonly memories: ShardMemories;
  readonly isPeek: boolean;
}

async function reserve(
  redis: RedisClient,
  items: readonly ReserveItem[],
  options: ReserveOptions,
): Promise<readonly ReserveFinding[]> {
  if (items.length === 0) return [];
  if (items.length > RESERVE_CANDIDATES_MAX) throw new Error(`too many candidates: ${items.length}`);
  const { keys, args } = reserveCall(items, options);
  const [generation, signs, ...answers] = (await reserveScript.run(redis, keys, args)) as string[];
  if (generation === 'behind') return items.map(() => ({ verdict: 'unknown', anchor: null }));
  const shard = shardOf(items[0]?.advertiserId ?? asAdvertiserId(''), options.shards);
  options.memories.note(shard, Number(generation), Number(signs));
  return answers.map(toFinding);
}

async function minutesOver(
  redis: RedisClient,
  shards: number,
  { overAtMs, countMax }: { readonly overAtMs: number; readonly countMax: number },
): Promise<readonly CampaignMinute[]> {
  const found = await dueMinutes(redis, shards, (key) =>
    redis.zrangebyscore(key, '-inf', overAtMs, 'WITHSCORES', 'LIMIT', 0, countMax),
  );
  return found.sort((a, b) => a.expiresAtMs - b.expiresAtMs).slice(0, countMax);
}

type CloseKeys = readonly [
  due: string,
  minute: string,
  total: string,
  day: string,
  advertiser: string,
  fates: string,
];

function closeKeys({ advertiserId, campaignId, minute }: CampaignMinute, shards: number): CloseKeys {
  const keys = budgetKeys(advertiserId, shards);
  return [
    keys.due,
    keys.minute(campaignId, minute),
    keys.total(campaignId),
    keys.day(campaignId, dayOf(minute * MINUTE_MS)),
    keys.advertiser,
    keys.fates(campaignId, minute),
  ];
}

function closeCall(minute: CampaignMinute, acceptedNanos: Nanos, shards: number): ScriptCall {
  return {
    keys: [...closeKeys(minute, shards)],
    args: [toMember(minute), acceptedNanos.toString(), dayOf(minute.minute * MINUTE_MS)],
  };
}

interface ScriptCall {
  readonly keys: string[];
  readonly args: (string | number)[];
}

function reserveCall(
  items: readonly ReserveItem[],
  { time, shards, memories, isPeek }: ReserveOptions,
): ScriptCall {
  const minute = minuteOf(time.filledAtMs);
  const day = dayOf(time.filledAtMs);
  const shard = shardOf(items[0]?.advertiserId ?? asAdvertiserId(''), shards);
  const check = memories.checkOf(shard);
  const call: ScriptCall = {
    keys: [dueKey(shard), ...check.keys],
    args: [time.filledAtMs, minute, day, time.expiresAtMs, isPeek ? '1' : '0', DAY_LIFE_MS, ...check.args],
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

function seedCall(
  seed: BudgetSeed,
  { shards, generation }: { readonly shards: number; readonly generation: Generation },
): ScriptCall {
  const keys = budgetKeys(seed.advertiserId, shards);
  const today = seed.campaigns[0]?.today.day ?? 0;
  const call: ScriptCall = {
    keys: [keys.due, keys.generation, keys.advertiser],
    args: [generation, seed.usedNanos.toString(), today, DAY_LIFE_MS, seed.campaigns.length],
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
    call.keys.push(keys.minute(open.campaignId, open.minute), keys.fates(open.campaignId, open.minute));
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
