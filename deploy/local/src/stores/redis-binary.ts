import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { libraryPathOf } from '../debian/library-path.js';
import { hasDebian, unpackDebian, type RunCommand } from '../debian/unpack.js';
import type { Surroundings } from '../process/managed-process.js';
import { runCommand } from '../process/run-command.js';
import { messageOf, StartError } from '../start-error.js';

/** A Redis server that runs here. */
export interface RedisBinary {
  readonly file: string;
  /** Value of `LD_LIBRARY_PATH`; empty when the system has all libraries. */
  readonly libraryPath: string;
  /** Such as `7.0`. */
  readonly version: string;
  readonly origin: string;
}

/** Oldest version that supports the queue and the scripts. */
const VERSION_MIN = [6, 2] as const;

/**
 * Finds a Redis: `redis-server` or `valkey-server` on the PATH, one that was unpacked before, or Debian's package
 * unpacked into the cache without a change of the system. Throws a {@link StartError} that explains how to get one.
 */
export async function findRedis(cacheDir: string, around: Surroundings): Promise<RedisBinary> {
  const unpackedDir = path.join(cacheDir, 'redis');
  const found = onPath() ?? unpacked(unpackedDir);
  if (found !== null) return found;
  if (hasDebian()) {
    around.say.info(
      'Getting Redis: downloading the Debian package and unpacking it, without installing it …',
    );
  }
  try {
    const run = runOrThrow(around);
    await unpackDebian({ packages: ['redis-server'], withNeeded: true, targetDir: unpackedDir, run });
  } catch (error) {
    throw new StartError(howToGetOne(messageOf(error)));
  }
  const fresh = unpacked(unpackedDir);
  if (fresh !== null) return fresh;
  throw new StartError(howToGetOne('the one of Debian is too old or does not run'));
}

function runOrThrow(around: Surroundings): RunCommand {
  return async (command, args, cwd) => {
    const { status, output, errors } = await runCommand(around, { command, args, cwd });
    if (status === 0) return output;
    throw new Error(`${command} failed: ${errors.split('\n').at(-1) ?? ''}`);
  };
}

function onPath(): RedisBinary | null {
  for (const dir of (process.env['PATH'] ?? '').split(path.delimiter)) {
    for (const name of ['redis-server', 'valkey-server']) {
      const file = path.join(dir, name);
      const version = dir === '' || !existsSync(file) ? null : versionOf(file, '');
      if (version !== null) return { file, libraryPath: '', version, origin: file };
    }
  }
  return null;
}

function unpacked(dir: string): RedisBinary | null {
  const file = path.join(dir, 'usr', 'bin', 'redis-server');
  if (!existsSync(file)) return null;
  const libraryPath = libraryPathOf(dir);
  const version = versionOf(file, libraryPath);
  return version === null ? null : { file, libraryPath, version, origin: 'Debian package, unpacked' };
}

function versionOf(file: string, libraryPath: string): string | null {
  const env = libraryPath === '' ? process.env : { ...process.env, LD_LIBRARY_PATH: libraryPath };
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', env });
  return status === 0 ? readRedisVersion(stdout) : null;
}

/** The version `major.minor` in the output of `--version`; null when it is too old or cannot be read. */
export function readRedisVersion(text: string): string | null {
  const match = /\bv=(\d+)\.(\d+)/.exec(text);
  if (match === null) return null;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const isEnough = major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]);
  return isEnough ? `${major}.${minor}` : null;
}

function howToGetOne(fault: string): string {
  return (
    `Placard needs Redis ${VERSION_MIN.join('.')} or newer, and none was found (${fault}). ` +
    'Install one (Debian, Ubuntu: apt-get install redis-server; Fedora: dnf install valkey; Alpine: apk add redis; ' +
    'macOS: brew install redis), or name one that runs already: REDIS_URL=redis://127.0.0.1:6379 npm start'
  );
}
