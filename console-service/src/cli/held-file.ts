import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * Replaces what a file holds, all at once: a reader sees the old text or the new one. Mode and owner stay, so that root
 * may do it for the user whose file it is.
 */
export function replaceFile(file: string, text: string): void {
  const { mode, uid, gid } = statSync(file);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, text, { mode, flag: 'wx' });
    if (process.getuid?.() === 0) chownSync(fresh, uid, gid);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
