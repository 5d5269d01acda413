import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { canEnter, type SystemUser } from './postgres-user.js';

/** Folders outside the data folder that users other than root can enter, the best first. */
export const OPEN_DIRS: readonly string[] = ['/var/lib/placard', '/var/tmp/placard'];

const WRITABLE_BY_OTHERS = 0o022;

/** Makes a folder that only root can write and the user can enter; false when that is impossible there. */
export function openDir(dir: string, user: SystemUser): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o711 });
    const { uid, mode } = statSync(dir);
    // Where all users may make folders, another user may have made this one.
    if (uid !== process.getuid?.()) return false;
    if ((mode & WRITABLE_BY_OTHERS) !== 0) chmodSync(dir, 0o711);
    return canEnter(dir, user);
  } catch {
    return false;
  }
}
