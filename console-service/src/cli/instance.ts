import { env as settings, settingOf } from '@placard/service-kit';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-error.js';

const DATA_DIR_DEFAULT = '.data';
const START_IT = 'Start one with `npm start`, or name another with --data DIR or PLACARD_ADDRESS=host:port.';
const NAME_FILES = 'Name the files that hold them with --file; docs/runbooks/key-rotation.md shows how.';

/**
 * Finds the running instance's console-service (`host:port`): by the data folder that was named, else `PLACARD_ADDRESS`,
 * else the data folder `.data`. Throws a CommandError when no instance runs.
 */
export function findInstance(env: NodeJS.ProcessEnv, dataDir: string | undefined): string {
  return (dataDir === undefined ? namedAddress(env) : null) ?? runningInstance(dataDir).address;
}

/** Null when `PLACARD_ADDRESS` is not set. */
function namedAddress(env: NodeJS.ProcessEnv): string | null {
  const address = settingOf(env, 'PLACARD_ADDRESS');
  if (address === undefined) return null;
  if (settings.address(address).safeParse(address).success) return address;
  throw new CommandError(
    `PLACARD_ADDRESS is ${address} and must be host:port of console-service's gRPC, such as 127.0.0.1:50055.`,
  );
}

/**
 * The files with the key rings of the running instance. Throws a CommandError when no instance runs, when the instance is
 * found by its address (its files are elsewhere), or when its rings come from its environment.
 */
export function keyRingFilesOf(env: NodeJS.ProcessEnv, dataDir: string | undefined): readonly string[] {
  const address = dataDir === undefined ? namedAddress(env) : null;
  if (address !== null) {
    throw new CommandError(`the keys of the instance at ${address} are not kept here. ${NAME_FILES}`);
  }
  const { keyRingFiles } = runningInstance(dataDir);
  if (keyRingFiles.length > 0) return keyRingFiles;
  throw new CommandError(`the instance has its key rings from its environment. ${NAME_FILES}`);
}

interface RunningInstance {
  readonly pid: number;
  readonly address: string;
  readonly keyRingFiles: readonly string[];
}

function runningInstance(dataDir: string | undefined): RunningInstance {
  const file = path.join(dataDir ?? DATA_DIR_DEFAULT, 'instance.json');
  const instance = readInstance(file);
  if (instance === null || !isAlive(instance.pid)) {
    throw new CommandError(`no instance is running (${file} names none). ${START_IT}`);
  }
  return instance;
}

function readInstance(file: string): RunningInstance | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
    const { pid, console_address: address, key_ring_files: files } = content;
    if (typeof pid !== 'number' || typeof address !== 'string') return null;
    return { pid, address, keyRingFiles: Array.isArray(files) ? files.map(String) : [] };
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
