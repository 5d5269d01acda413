import { messageOf } from '@placard/service-kit/errors';
import { settingOf } from '@placard/service-kit/setting';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-error.js';

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port. */
const HOST_PORT =
  /^(?:[\w.-]+|\[[\da-fA-F:.]+\]):(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/;
const DATA_DIR_DEFAULT = '.data';
const START_IT = 'Start one with `npm start`, or name another with --data DIR or PLACARD_ADDRESS=host:port.';
const START_OR_NAME = 'Start one with `npm start`, or name its data folder with --data DIR.';
const NAME_KEY = 'Set PLACARD_KEY to the text of an API key.';
const NO_KEY = 'PLACARD_KEY is not set. Set it to the text of an API key.';
const NAME_FILES = 'Name the files that hold them with --file; docs/runbooks/key-rotation.md shows how.';

/** A running instance: where its management API is, and the key to call it. */
export interface Instance {
  /** How messages name it: as it was named, or `host:port`. */
  readonly address: string;
  /** `http://host:port` or `https://host:port`, without a path. */
  readonly url: string;
  /** Whether the address names console-service itself. Its certificate then names the service and not the host. */
  readonly isService: boolean;
  readonly key: string;
}

/**
 * Finds the running instance: by the data folder that was named, else `PLACARD_ADDRESS`, else the data folder `.data`. The key
 * is `PLACARD_KEY`, else that of the data folder. `hasTls`: the command has the files of a certificate. Throws a CommandError
 * when no instance runs, or there is no key.
 */
export function findInstance(env: NodeJS.ProcessEnv, dataDir: string | undefined, hasTls: boolean): Instance {
  const key = settingOf(env, 'PLACARD_KEY');
  const address = dataDir === undefined ? namedAddress(env) : null;
  if (address !== null) {
    if (key === undefined) throw new CommandError(NO_KEY);
    const isService = !isUrl(address);
    return {
      address,
      url: isService ? `${hasTls ? 'https' : 'http'}://${address}` : address,
      isService,
      key,
    };
  }
  const { url, keyFile } = runningInstance(dataDir);
  return { address: new URL(url).host, url, isService: true, key: key ?? readKey(keyFile) };
}

function readKey(file: string | null): string {
  if (file === null) throw new CommandError(`the instance has its key from its environment. ${NAME_KEY}`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`the key file cannot be read: ${messageOf(error)}. ${NAME_KEY}`);
  }
}

/** Null when `PLACARD_ADDRESS` is not set. */
function namedAddress(env: NodeJS.ProcessEnv): string | null {
  const address = settingOf(env, 'PLACARD_ADDRESS');
  if (address === undefined) return null;
  if (isUrl(address) || HOST_PORT.test(address)) return address.replace(/\/+$/, '');
  throw new CommandError(
    `PLACARD_ADDRESS is ${address} and must be host:port of console-service's MANAGE_PORT, such as 127.0.0.1:8086, or the URL of a gateway, such as https://ads.example.com.`,
  );
}

function isUrl(address: string): boolean {
  return /^https?:\/\//.test(address) && URL.canParse(address);
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

/** URL of the first gateway of the running instance in a data folder. Throws a CommandError when none runs. */
export function gatewayUrlOf(dataDir: string): string {
  const { gatewayUrl } = runningInstance(dataDir, START_OR_NAME);
  if (gatewayUrl !== null) return gatewayUrl;
  throw new CommandError(
    `the instance in ${dataDir} does not name its gateway. Start it again with \`npm start\`.`,
  );
}

/**
 * The logs in the data folder of the instance, rotated ones included. Empty: the instance is found by its address, or its
 * folder has no logs.
 */
export function logFilesOf(env: NodeJS.ProcessEnv, dataDir: string | undefined): readonly string[] {
  if (dataDir === undefined && namedAddress(env) !== null) return [];
  const folder = path.join(dataDir ?? DATA_DIR_DEFAULT, 'logs');
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

interface RunningInstance {
  readonly pid: number;
  readonly url: string;
  readonly gatewayUrl: string | null;
  readonly keyFile: string | null;
  readonly keyRingFiles: readonly string[];
}

/** `remedy`: what to do when no instance runs. */
function runningInstance(dataDir: string | undefined, remedy = START_IT): RunningInstance {
  const file = path.join(dataDir ?? DATA_DIR_DEFAULT, 'instance.json');
  const instance = readInstance(file);
  if (instance === null || !isAlive(instance.pid)) {
    throw new CommandError(`no instance is running (${file} names none). ${remedy}`);
  }
  return instance;
}

function readInstance(file: string): RunningInstance | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
    const {
      pid,
      manage_url: url,
      gateway_url: gatewayUrl,
      key_file: keyFile,
      key_ring_files: files,
    } = content;
    if (typeof pid !== 'number' || typeof url !== 'string' || !isUrl(url)) return null;
    return {
      pid,
      url,
      gatewayUrl: typeof gatewayUrl === 'string' ? gatewayUrl : null,
      keyFile: typeof keyFile === 'string' ? keyFile : null,
      keyRingFiles: Array.isArray(files) ? files.map(String) : [],
    };
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
