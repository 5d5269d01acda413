import { replaceFile } from '@placard/service-kit/files';
import { mkdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { ManagedProcess, type Surroundings } from '../process/managed-process.js';
import { noNotice } from '../process/notice.js';
import { identityOf } from '../process/process-identity.js';
import { untilGone } from '../process/process-list.js';
import { withoutSecrets } from '../process/secret-settings.js';
import { startUntilReady } from '../readiness.js';
import type { RunningStore, StoreOptions } from './postgres.js';
import type { RedisBinary } from './redis-binary.js';

/** Longest wait for the first answer, in milliseconds. A large log is replayed. */
const READY_MS_MAX = 120_000;
const ANSWER_MS_MAX = 1_000;
const STOP_MS_MAX = 10_000;

/** Starts a Redis on a data folder. Throws a `StartError` when it does not start. */
export async function startRedis(
  options: StoreOptions & Pick<RedisServer, 'password'>,
  binary: RedisBinary,
  around: Surroundings,
): Promise<RunningStore> {
  const dir = options.folder.at('redis');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await endLeftoverRedis(dir);
  const server = makeRedisProcess({ ...options, name: 'redis', dir, settings: {} }, binary, around);
  await startUntilReady(server, READY_MS_MAX);
  const user = options.password === null ? '' : `:${encodeURIComponent(options.password)}@`;
  return { url: `redis://${user}127.0.0.1:${options.port}`, process: server };
}

/** One server: the name of its process, its folder and further settings. */
export interface RedisServer extends StoreOptions {
  readonly name: string;
  readonly dir: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Null: no password. */
  readonly password: string | null;
}

/** The process of a server, not yet started. */
export function makeRedisProcess(
  options: RedisServer,
  binary: RedisBinary,
  around: Surroundings,
): ManagedProcess {
  const { name, dir, password, port } = options;
  // The password is in a file for the owner only, because all users can read arguments.
  const file = path.join(dir, 'redis.conf');
  replaceFile(file, password === null ? '' : `requirepass ${password}\n`);
  const settings: Readonly<Record<string, string>> = {
    port: String(port),
    bind: '127.0.0.1',
    dir,
    pidfile: path.join(dir, 'redis.pid'),
    daemonize: 'no',
    save: '',
    appendonly: options.isDurable ? 'yes' : 'no',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    ...options.settings,
  };
  const args = [file, ...Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value])];
  const libraries = binary.libraryPath === '' ? {} : { LD_LIBRARY_PATH: binary.libraryPath };
  return new ManagedProcess(
    {
      name,
      kind: 'store',
      command: binary.file,
      args,
      env: { ...withoutSecrets(process.env), ...libraries },
      cwd: dir,
      user: null,
      stopSignal: 'SIGTERM',
      notice: noNotice,
      logFile: options.folder.at('logs', `${name}.log`),
      probe: async () => ({ isReady: await answersPing(port, password), detail: 'it does not answer PING' }),
    },
    around,
  );
}

/** Whether Redis has read its data and serves. */
function answersPing(port: number, password: string | null): Promise<boolean> {
  const login = password === null ? '' : `AUTH ${password}\r\n`;
  let text = '';
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const done = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(ANSWER_MS_MAX, () => done(false));
    socket.once('error', () => done(false));
    socket.once('connect', () => socket.write(`${login}PING\r\n`));
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.includes('+PONG')) done(true);
      else if (text.includes('-')) done(false);
    });
  });
}

/** Ends a Redis that still runs in the folder after its starter was killed. It would write to the same files. */
async function endLeftoverRedis(dir: string): Promise<void> {
  let pid: number;
  try {
    pid = Number(readFileSync(path.join(dir, 'redis.pid'), 'utf8'));
    if (readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(dir)) return;
  } catch {
    return;
  }
  const identity = identityOf(pid);
  if (identity === null) return;
  process.kill(pid, 'SIGTERM');
  await untilGone([{ pid, identity }], STOP_MS_MAX);
  if (identityOf(pid) === identity) process.kill(pid, 'SIGKILL');
}
