import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { canEnter, type SystemUser } from './postgres-user.js';

/** Folders outside the data folder that root may use where another user must get in, the best first. */
export const OPEN_DIRS: readonly string[] = ['/var/lib/placard', '/var/tmp/placard'];

const WRITABLE_BY_OTHERS = 0o022;

/** Makes a folder that only we can write and the user can pass through; false when that cannot be had there. */
export function openDir(dir: string, user: SystemUser): boolean {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o711 });
    const { uid, mode } = statSync(dir);
    // Someone else may have been there first, where all may make folders.
    if (uid !== process.getuid?.()) return false;
    if ((mode & WRITABLE_BY_OTHERS) !== 0) chmodSync(dir, 0o711);
    return canEnter(dir, user);
  } catch {
    return false;
  }
}
