import { mkdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Surroundings } from '../process/managed-process.js';
import { startUntilReady } from '../readiness.js';
import { StartError } from '../start-error.js';
import { makeRedisProcess } from './redis.js';
import type { RedisBinary } from './redis-binary.js';
import type { StoreOptions } from './postgres.js';

/** A Redis Cluster on this machine, for tests: nothing of it is kept. */
export interface RedisCluster {
  /** The first so many nodes are masters, the others their replicas, in turn. */
  readonly masters: number;
  readonly nodes: readonly RedisNode[];
}

/** One server of a cluster. */
export interface RedisNode {
  /** Of its process: `redis-1`, … */
  readonly name: string;
  readonly port: number;
  /** Where the other nodes reach it. */
  readonly busPort: number;
}

const SLOTS = 16_384;
/** After so long without an answer a master is taken for lost, and its replica takes over. */
const NODE_TIMEOUT_MS = 1_000;
const READY_MS_MAX = 30_000;
const POLL_MS = 50;
const ANSWER_MS_MAX = 2_000;

/** A `REDIS_URL` that names every node. */
export function clusterUrlOf({ nodes }: RedisCluster): string {
  return `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
}

/** Starts the servers, makes one cluster of them, and waits until every node serves. */
export async function startRedisCluster(
  cluster: RedisCluster,
  options: Omit<StoreOptions, 'port'>,
  binary: RedisBinary,
  around: Surroundings,
): Promise<void> {
  const { nodes, masters } = cluster;
  await Promise.all(nodes.map((node) => startNode(node, options, binary, around)));
  await Promise.all(
    nodes.slice(0, masters).map((node, index) => {
      const first = Math.ceil((index * SLOTS) / masters);
      const end = Math.ceil(((index + 1) * SLOTS) / masters);
      const slots = Array.from({ length: end - first }, (_, offset) => String(first + offset));
      return ask(node, 'CLUSTER', 'ADDSLOTS', ...slots);
    }),
  );
  const [meeting, ...others] = nodes;
  if (meeting === undefined) return;
  for (const node of others) {
    await ask(meeting, 'CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(node.busPort));
  }
  const isKnown = (text: string): boolean => text.includes(`cluster_known_nodes:${nodes.length}\r`);
  for (const node of nodes) await until(node, ['CLUSTER', 'INFO'], isKnown);
  await Promise.all(
    nodes.slice(masters).map(async (node, index) => {
      const master = nodes[index % masters] ?? meeting;
      const id = (await ask(master, 'CLUSTER', 'MYID')).split('\r\n')[1] ?? '';
      await until(node, ['CLUSTER', 'NODES'], (text) => text.includes(id));
      await ask(node, 'CLUSTER', 'REPLICATE', id);
      await until(node, ['INFO', 'replication'], (text) => text.includes('master_link_status:up'));
    }),
  );
  const isWhole = (text: string): boolean => text.includes('cluster_state:ok');
  for (const node of nodes) await until(node, ['CLUSTER', 'INFO'], isWhole);
}

async function startNode(
  node: RedisNode,
  options: Omit<StoreOptions, 'port'>,
  binary: RedisBinary,
  around: Surroundings,
): Promise<void> {
  const dir = options.folder.at(node.name);
  // What an earlier cluster left would be another cluster's member.
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-port': String(node.busPort),
    // A replica that is a little behind is better than none; what it lacks is found by the signs in it.
    'cluster-replica-validity-factor': '0',
    'repl-diskless-sync-delay': '0',
  };
  const { name, port } = node;
  const server = { ...options, port, name, dir, settings, password: null };
  await startUntilReady(makeRedisProcess(server, binary, around));
}

async function until(
  node: RedisNode,
  command: readonly string[],
  isTrue: (answer: string) => boolean,
): Promise<void> {
  let answer = '';
  for (const endsAtMs = Date.now() + READY_MS_MAX; Date.now() < endsAtMs;) {
    answer = await ask(node, ...command);
    if (isTrue(answer)) return;
    await sleep(POLL_MS);
  }
  throw new StartError(`The Redis Cluster did not come together; ${node.name} says: ${answer}`);
}

/** Sends one command; the answer as it came. Rejects with what Redis says is wrong. */
function ask({ name, port }: RedisNode, ...command: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error(`${name} does not answer`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      const words = command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
      socket.write(`*${command.length}\r\n${words.join('')}`);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (!isWholeAnswer(text)) return;
      socket.destroy();
      if (text.startsWith('-')) reject(new StartError(`${name} answers ${text.trim()}`));
      else resolve(text);
    });
  });
}

/** For the answers that are asked for here: one line, or one text of a stated length. */
function isWholeAnswer(text: string): boolean {
  const end = text.indexOf('\r\n');
  if (end < 0) return false;
  if (!text.startsWith('$')) return true;
  return Buffer.byteLength(text) >= end + 2 + Number(text.slice(1, end)) + 2;
}
