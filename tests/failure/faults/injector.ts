import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@placard/local';
import { connectRedis } from '@placard/service-kit/redis';
import type { Clocks } from './clocks.js';
import { setAll, type Link, type Links } from './links.js';
import { TOGETHER, type PlannedFault } from '../plan.js';
import { familyOf, isReborn, pidOf, signalAll } from './processes.js';

/** The target of faults. */
export interface Victim {
  readonly product: Product;
  readonly links: Links;
  readonly clocks: Clocks;
}

/** Longest restart: the delays between restarts grow, and Postgres replays its log first. */
const REBORN_MS_MAX = 60_000;
const REDIS_ANSWER_MS_MAX = 30_000;
const FLUSH_EVERY_MS = 25;

/**
 * Injects one fault and ends it. Resolves when killed processes run again, perhaps before they are ready. A clock stays
 * shifted. When several processes are killed, stopped ones in `still` are left out.
 */
export async function inject(victim: Victim, fault: PlannedFault, still: ReadonlySet<string>): Promise<void> {
  const { target, holdMs } = fault;
  switch (fault.kind) {
    case 'kill':
      return kill(victim, target);
    case 'stop':
    case 'stop-long':
      return stop(victim, target, holdMs);
    case 'flush':
      return tellRedis(victim, 'FLUSHALL');
    case 'lose':
      return loseRedis(victim);
    case 'stay-empty':
      return keepEmpty(victim, holdMs);
    case 'kill-together':
      return killTogether(victim, still);
    case 'clock':
      await victim.clocks.heal();
      return victim.clocks.set(target, fault.offMs);
    case 'latency':
      return disturb(victim, fault, { kind: 'latency', delayMs: fault.delayMs });
    case 'blackhole':
    case 'reset':
      return disturb(victim, fault, { kind: fault.kind });
  }
}

async function kill({ product: { dataDir } }: Victim, name: string): Promise<void> {
  const pid = pidOf(dataDir, name);
  if (pid !== null) signalAll([pid], 'SIGKILL');
  if (await isReborn(dataDir, name, pid, REBORN_MS_MAX)) return;
  throw new Error(`${name} was killed and is not started again within ${REBORN_MS_MAX} ms`);
}

/** Kills all serving-service processes and both stores at once. Redis comes back empty. */
async function killTogether(victim: Victim, still: ReadonlySet<string>): Promise<void> {
  const others = TOGETHER.filter((name) => name !== 'redis' && !still.has(name));
  await Promise.all([loseRedis(victim), ...others.map((name) => kill(victim, name))]);
}

/** Flushes Redis repeatedly for a while. A command that Redis does not answer has stored nothing either. */
async function keepEmpty(victim: Victim, holdMs: number): Promise<void> {
  const endsAtMs = Date.now() + holdMs;
  while (Date.now() < endsAtMs) {
    await tellRedis(victim, 'FLUSHALL');
    await sleep(FLUSH_EVERY_MS);
  }
}

async function stop({ product: { dataDir } }: Victim, name: string, holdMs: number): Promise<void> {
  const pid = pidOf(dataDir, name);
  if (pid === null) return;
  const pids = name === 'postgres' ? familyOf(pid) : [pid];
  signalAll(pids, 'SIGSTOP');
  try {
    await sleep(holdMs);
  } finally {
    signalAll(pids, 'SIGCONT');
  }
}

async function disturb(
  { links }: Victim,
  { target, connection, holdMs }: PlannedFault,
  how: Parameters<typeof setAll>[1],
): Promise<void> {
  const all = links.of(target);
  const one = all[Math.floor((connection ?? 0) * all.length)];
  const hit: readonly Link[] = connection === null || one === undefined ? all : [one];
  setAll(hit, how);
  try {
    await sleep(holdMs);
  } finally {
    setAll(hit, { kind: 'none' });
  }
}

/** Restarts Redis without its data. */
async function loseRedis(victim: Victim): Promise<void> {
  const { product } = victim;
  await product.kill('redis');
  await rm(path.join(product.dataDir, 'redis', 'appendonlydir'), { recursive: true, force: true });
  await product.restart('redis');
  await tellRedis(victim, 'PING');
}

/** Sends one command directly to Redis; rejects when Redis does not answer or refuses it. */
async function tellRedis({ product }: Victim, command: 'FLUSHALL' | 'PING'): Promise<void> {
  const url = product.addresses.redisUrl;
  const redis = connectRedis({ url, name: 'injector', waitsForRedis: true });
  redis.on('error', () => undefined);
  const tooLate = sleep(REDIS_ANSWER_MS_MAX, null, { ref: false }).then(() => {
    throw new Error('Redis does not answer');
  });
  tooLate.catch(() => undefined);
  try {
    await Promise.race([redis.call(command), tooLate]);
  } finally {
    redis.disconnect();
  }
}
