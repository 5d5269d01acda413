import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@placard/local';
import { setAll, type Link, type Links } from './links.js';
import type { PlannedFault } from './plan.js';
import { familyOf, isReborn, pidOf, signalAll } from './processes.js';

/** What faults are done to. */
export interface Victim {
  readonly product: Product;
  readonly links: Links;
  readonly redisPort: number;
}

/** The watcher starts a process again with growing delays, and Postgres reads its log again first. */
const REBORN_MS_MAX = 60_000;
const REDIS_ANSWER_MS_MAX = 30_000;
const POLL_MS = 50;

/** Does one fault and undoes it; resolves when whatever was ended runs again, which is not to say that it is ready. */
export async function inject(victim: Victim, fault: PlannedFault): Promise<void> {
  const { target, holdMs } = fault;
  switch (fault.kind) {
    case 'kill':
      return kill(victim, target);
    case 'stop':
      return stop(victim, target, holdMs);
    case 'flush':
      return tellRedis(victim.redisPort, 'FLUSHALL');
    case 'lose':
      return loseRedis(victim);
    case 'lose-both': {
      const serving = kill(victim, 'serving-service');
      await loseRedis(victim);
      return serving;
    }
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

/** A Redis without persistence that was restarted. */
async function loseRedis({ product, redisPort }: Victim): Promise<void> {
  await product.kill('redis');
  await rm(path.join(product.dataDir, 'redis', 'appendonlydir'), { recursive: true, force: true });
  await product.restart('redis');
  const endsAtMs = Date.now() + REDIS_ANSWER_MS_MAX;
  while (!(await isAnswered(redisPort))) {
    if (Date.now() > endsAtMs) throw new Error('Redis does not answer after its restart');
    await sleep(POLL_MS);
  }
}

function isAnswered(redisPort: number): Promise<boolean> {
  return tellRedis(redisPort, 'PING').then(
    () => true,
    () => false,
  );
}

/** Sends one command, past the proxies; rejects when it is not answered with a simple yes. */
function tellRedis(port: number, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.setTimeout(REDIS_ANSWER_MS_MAX, () => socket.destroy(new Error('Redis does not answer')));
    socket.once('error', reject);
    socket.once('data', (chunk) => {
      socket.destroy();
      const text = chunk.toString().trim();
      if (text.startsWith('+')) resolve();
      else reject(new Error(`Redis answers ${text}`));
    });
  });
}
