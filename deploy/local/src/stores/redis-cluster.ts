import { mkdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Surroundings } from '../process/managed-process.js';
import { startUntilReady } from '../readiness.js';
import { StartError } from '../start-error.js';
import { makeRedisProcess } from './redis.js';
import type { RedisBinary } from './redis-binary.js';
import type { StoreOptions } from './postgres.js';

/** A Redis Cluster on this machine for tests. Its data is not kept. */
export interface RedisCluster {
  /** Number of masters. They are the first nodes; the others are their replicas, in turn. */
  readonly masters: number;
  readonly nodes: readonly RedisNode[];
}

/** One server of a cluster. */
export interface RedisNode {
  /** Name of its process: `redis-1`, … */
  readonly name: string;
  readonly port: number;
  /** Port for the other nodes. */
  readonly busPort: number;
}

const SLOTS = 16_384;
/** A master without an answer for this long counts as lost, and its replica takes over. */
const NODE_TIMEOUT_MS = 1_000;
const READY_MS_MAX = 30_000;
const POLL_MS = 50;
const ANSWER_MS_MAX = 2_000;

/** A `REDIS_URL` that names every node. */
export function clusterUrlOf({ nodes }: RedisCluster): string {
  return `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
}

/** Starts the servers, joins them to a cluster, and waits until every node serves. */
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
  // Data of an earlier cluster would make the node a member of that cluster.
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-port': String(node.busPort),
    // A replica that is a little behind is better than none. Missing data is detected by the marks in it.
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

/** Sends one command; returns the raw answer. Rejects with the error of Redis. */
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

/** Whether an answer is complete. The used commands answer one line, or one text with its length. */
function isWholeAnswer(text: string): boolean {
  const end = text.indexOf('\r\n');
  if (end < 0) return false;
  if (!text.startsWith('$')) return true;
  return Buffer.byteLength(text) >= end + 2 + Number(text.slice(1, end)) + 2;
}
