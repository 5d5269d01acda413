import { replaceFile } from '@placard/service-kit/files';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DataFolder } from '../data-folder.js';
import type { Say } from '../say.js';
import { StartError } from '../start-error.js';
import { OPEN_DIRS, openDir } from './open-dir.js';
import { canEnter, postgresUser, type SystemUser } from './postgres-user.js';

/** The folder and the user of a cluster. */
export interface PostgresPlace {
  /** The folder of the cluster; may not exist yet. */
  readonly clusterDir: string;
  /** Its parent folder, which the user can write. */
  readonly parentDir: string;
  readonly user: SystemUser | null;
}

/**
 * Chooses the place of a data folder's cluster: in the data folder, unless Postgres must run as another user who cannot enter
 * it (started by root, under /root). Then it is another folder, which the data folder records and a message names.
 */
export function placePostgres(folder: DataFolder, say: Say): PostgresPlace {
  const note = folder.at('postgres.location');
  const noted = existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
  const parentDir = noted ?? folder.at('postgres');
  const user = postgresUser(parentDir);
  if (noted !== null) return { parentDir, clusterDir: path.join(parentDir, 'cluster'), user };
  if (user === null || canEnter(folder.dir, user)) return openParent(parentDir, user);
  return openElsewhere(folder, note, user, say);
}

function openElsewhere(folder: DataFolder, note: string, user: SystemUser, say: Say): PostgresPlace {
  const name = createHash('sha256').update(folder.dir).digest('hex').slice(0, 12);
  const base = OPEN_DIRS.find((dir) => openDir(dir, user));
  if (base !== undefined) {
    const place = openParent(path.join(base, `data-${name}`), user);
    replaceFile(note, `${place.parentDir}\n`);
    say.info(
      `Postgres runs as ${user.name}, who may not enter ${folder.dir}; it keeps its data in ${place.parentDir}.`,
    );
    return place;
  }
  throw new StartError(
    `Postgres runs as ${user.name} when started by root, and that user may not enter ${folder.dir}. ` +
      'Choose a folder that all may enter: npm start -- --data /var/lib/placard',
  );
}

function openParent(parentDir: string, user: SystemUser | null): PostgresPlace {
  mkdirSync(parentDir, { recursive: true, mode: 0o700 });
  if (user !== null) {
    chownSync(parentDir, user.uid, user.gid);
    chmodSync(parentDir, 0o700);
  }
  return { parentDir, clusterDir: path.join(parentDir, 'cluster'), user };
}
