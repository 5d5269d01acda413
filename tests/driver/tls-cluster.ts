import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectRedis, type RedisClient } from '@placard/service-kit/redis';
import type { TlsFiles } from '../../service-kit/test/tls-stores.js';
import { libraryPathOf } from '../../deploy/local/src/debian/library-path.js';
import { freePort } from './free-port.js';
import { becomes } from './phone.js';

/** A Redis Cluster that speaks TLS only and wants a password. */
export interface TlsCluster {
  /** `127.0.0.1:port`, of each master. */
  readonly nodes: readonly string[];
  close(): Promise<void>;
}

const SLOTS = 16_384;
const START_MS_MAX = 10_000;

/** Starts three masters. Their certificate has `serverName` alone, and each announces its IP address to clients. */
export async function openTlsCluster(
  files: TlsFiles,
  options: { readonly serverName: string; readonly password: string },
): Promise<TlsCluster> {
  const certificate = await files.authority.issueTo(files.at('cluster'), { names: [options.serverName] });
  const program = await runningRedis();
  const children: ChildProcess[] = [];
  const clients: RedisClient[] = [];
  const close = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    await Promise.all(
      children.map(async (child) => {
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        await closed;
      }),
    );
  };
  try {
    const ports = await Promise.all([0, 1, 2].map(async () => [await freePort(), await freePort()] as const));
    for (const [port, busPort] of ports) {
      const dir = files.at(`cluster-${port}`);
      mkdirSync(dir);
      // The password is in a file, because all users can read arguments.
      const settings = {
        port: '0',
        'tls-port': String(port),
        'tls-cluster': 'yes',
        'tls-auth-clients': 'no',
        'tls-cert-file': certificate.certFile,
        'tls-key-file': certificate.keyFile,
        'tls-ca-cert-file': certificate.caFile,
        'cluster-enabled': 'yes',
        'cluster-port': String(busPort),
        'maxmemory-policy': 'noeviction',
        requirepass: options.password,
        bind: '127.0.0.1',
        save: '""',
        dir,
      };
      const file = path.join(dir, 'redis.conf');
      const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
      writeFileSync(file, lines.join(''), { mode: 0o600 });
      children.push(
        spawn(program.file, [file], { stdio: 'ignore', env: { ...process.env, ...program.env } }),
      );
      const url = `rediss://:${options.password}@127.0.0.1:${port}`;
      const { caFile } = files;
      const client = connectRedis({
        url,
        caFile,
        serverName: options.serverName,
        name: 'test',
        waitsForRedis: true,
      });
      client.on('error', () => undefined);
      clients.push(client);
    }
    await join(clients, ports);
    return { nodes: ports.map(([port]) => `127.0.0.1:${port}`), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Gives each master its share of the slots, and waits until all of them know it. */
async function join(
  clients: readonly RedisClient[],
  ports: readonly (readonly [port: number, busPort: number])[],
): Promise<void> {
  const [meeting] = clients;
  for (const [index, client] of clients.entries()) {
    const [first, end] = [index, index + 1].map((share) => Math.ceil((share * SLOTS) / clients.length));
    const slots = Array.from({ length: end! - first! }, (_, offset) => first! + offset);
    await client.cluster('ADDSLOTS', ...slots);
    await meeting?.call('CLUSTER', 'MEET', '127.0.0.1', ...ports[index]!.map(String));
  }
  for (const client of clients) {
    const isWhole = async (): Promise<boolean> => {
      const info = await client.cluster('INFO');
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${clients.length}\r`);
    };
    if (!(await becomes(START_MS_MAX, isWhole))) throw new Error('the cluster did not come together');
  }
}

/** The program of the Redis of the tests, and the environment that it needs. */
async function runningRedis(): Promise<{ readonly file: string; readonly env: NodeJS.ProcessEnv }> {
  const client = connectRedis({
    url: process.env['TEST_REDIS_URL'] ?? '',
    name: 'test',
    waitsForRedis: true,
  });
  const info = await client.info('server');
  client.disconnect();
  const file = /^executable:(.+)$/m.exec(info)?.[1]?.trim() ?? '';
  // A package that was unpacked has its libraries beside the program.
  const libraries = file.startsWith('/usr/') ? '' : libraryPathOf(path.resolve(file, '../../..'));
  return { file, env: libraries === '' ? {} : { LD_LIBRARY_PATH: libraries } };
}
