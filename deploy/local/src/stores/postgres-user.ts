import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { StartError } from '../start-error.js';

/** A system user. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const WITH_OWN_DATABASE =
  'Start as a plain user, or name a Postgres that runs already: DATABASE_URL=postgres://… npm start';

/**
 * The user for Postgres when this process is root, since Postgres refuses to run as root: the owner of existing data, else the
 * user `postgres` (made when missing), else `nobody`. Null when this process is not root.
 */
export function postgresUser(dataDir: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(dataDir)) {
    const { uid, gid } = statSync(dataDir);
    if (uid !== 0) return { name: `user ${uid}`, uid, gid };
  }
  return findUser('postgres') ?? makeUser('postgres') ?? findUser('nobody') ?? noUser();
}

function noUser(): never {
  throw new StartError(
    `Postgres will not run as root, and there is no user postgres and none could be made. ${WITH_OWN_DATABASE}`,
  );
}

function findUser(name: string): SystemUser | null {
  const id = (flag: string): number => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout.trim()) : Number.NaN;
  };
  const [uid, gid] = [id('-u'), id('-g')];
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? { name, uid, gid } : null;
}

function makeUser(name: string): SystemUser | null {
  const options = { stdio: 'ignore' } as const;
  spawnSync('groupadd', ['--system', name], options);
  spawnSync(
    'useradd',
    ['--system', '--gid', name, '--no-create-home', '--shell', '/bin/false', name],
    options,
  );
  return findUser(name);
}

/** Whether the user can enter a folder and all folders above it. */
export function canEnter(dir: string, user: SystemUser | null): boolean {
  if (user === null) return true;
  try {
    execFileSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], {
      uid: user.uid,
      gid: user.gid,
      cwd: '/',
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
