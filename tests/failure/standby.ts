import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { clusterOf, copyRunningCluster, databaseUrlOf } from '../driver/database.js';
import { freePort } from '../driver/free-port.js';
import { becomes } from '../driver/phone.js';
import { openFaultProxy, type FaultProxy } from './faults/fault-proxy.js';

/** A standby of the product's Postgres that can replace it. */
export interface Standby {
  readonly port: number;
  /** URL of the product's database on the standby. */
  readonly url: string;
  /** The proxy for the log of the primary. */
  readonly link: FaultProxy;
  /** Promotes it to a primary; resolves when it accepts writes. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/** Name of the role, the slot and the standby. The server lives for one test, so the password is no secret. */
const NAME = 'standby';
const PASSWORD = 'of one drill';
const START_MS_MAX = 30_000;
const PROMOTE_SECONDS_MAX = 30;

/**
 * Adds a synchronous standby to the running product, as in docs/runbooks/postgres-failover.md. From then on every answered
 * write is also on the standby. Rejects with the server's log when the standby does not follow.
 */
export async function openStandby(dataDir: string): Promise<Standby> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    return { ...(await openStandbyIn(dataDir, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStandbyIn(
  dataDir: string,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Standby, 'close'>> {
  const url = new URL(await databaseUrlOf(dataDir));
  const link = await openFaultProxy({ host: '127.0.0.1', port: Number(url.port) });
  closers.push(() => link.close());
  const folder = await mkdtemp(path.join(os.tmpdir(), 'placard-standby-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  // The user that runs Postgres must be able to enter the folder.
  await chmod(folder, 0o711);
  const primary = new pg.Client({ connectionString: url.href });
  await primary.connect();
  try {
    const cluster = path.join(folder, 'cluster');
    await copyAsStandby(primary, clusterOf(dataDir), cluster, link.port);
    url.port = String(await freePort());
    const server = await startServer(cluster, url.port);
    closers.push(() => server.stop());
    await untilFollowed(primary, server);
  } finally {
    await primary.end();
  }
  return { port: Number(url.port), url: url.href, link, promote: () => promote(url.href) };
}

/** Makes a copy that follows from the position of the slot. A slot inside the copy would keep its log for ever. */
async function copyAsStandby(
  primary: pg.Client,
  cluster: string,
  copy: string,
  primaryPort: number,
): Promise<void> {
  await primary.query(`CREATE ROLE ${NAME} REPLICATION LOGIN PASSWORD '${PASSWORD}'`);
  await primary.query(`SELECT pg_create_physical_replication_slot('${NAME}', true)`);
  await copyRunningCluster(primary, cluster, copy);
  for (const slot of await readdir(path.join(copy, 'pg_replslot'))) {
    await rm(path.join(copy, 'pg_replslot', slot), { recursive: true });
  }
  const way = `host=127.0.0.1 port=${primaryPort} user=${NAME} password='${PASSWORD}' application_name=${NAME}`;
  const settings = [`primary_conninfo = '${way.replaceAll("'", "''")}'`, `primary_slot_name = '${NAME}'`];
  await appendFile(path.join(copy, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  await writeFile(path.join(copy, 'standby.signal'), '');
}

interface Server {
  log(): string;
  stop(): Promise<void>;
}

/** Stops the server when standard input ends: on request, and when the process that started it is gone. */
const WITH_US = '"$@" & server=$!; read -r _; kill -INT "$server"; wait "$server"';

/** Runs the copy with the original's program and options, which Postgres records in the folder. */
async function startServer(cluster: string, port: string): Promise<Server> {
  const options = await readFile(path.join(cluster, 'postmaster.opts'), 'utf8');
  const program = options.slice(0, options.indexOf(' "'));
  const args = [...options.matchAll(/"([^"]*)"/g)].map(([, arg = '']) => arg);
  args[args.indexOf('-D') + 1] = cluster;
  args[args.indexOf('-p') + 1] = port;
  const { uid, gid } = await stat(cluster);
  const child: ChildProcess = spawn('sh', ['-c', WITH_US, 'sh', program, ...args], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const closed = once(child, 'close');
  return {
    log: () => log,
    async stop() {
      child.stdin?.end();
      await closed;
    },
  };
}

/** Waits until the standby streams, and only then makes it synchronous. Before, every write would block. */
async function untilFollowed(primary: pg.Client, server: Server): Promise<void> {
  const isSeen = (what: string): Promise<boolean> =>
    becomes(START_MS_MAX, async () => {
      const { rowCount } = await primary.query(`SELECT FROM pg_stat_replication WHERE ${what}`);
      return rowCount === 1;
    });
  const name = `application_name = '${NAME}'`;
  if (!(await isSeen(`${name} AND state = 'streaming'`))) {
    throw new Error(`the standby does not stream: ${server.log()}`);
  }
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
  await primary.query('SELECT pg_reload_conf()');
  if (!(await isSeen(`${name} AND sync_state = 'sync'`))) {
    throw new Error(`the standby is not synchronous: ${server.log()}`);
  }
}

async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ done: boolean }>(
      `SELECT pg_promote(true, ${PROMOTE_SECONDS_MAX}) AS done`,
    );
    if (rows[0]?.done !== true) throw new Error(`not promoted within ${PROMOTE_SECONDS_MAX} s`);
  } finally {
    await client.end();
  }
}
