import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Readable and writable by its owner only. */
export const OWNER_ONLY = 0o600;

const PERMISSIONS = 0o777;

/**
 * Writes all bytes: one write may take only a part of them, as on a disk that becomes full or under a limit of file sizes.
 * Throws the system's error when no more can be written.
 */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(fd, rest));
}

/**
 * Puts a whole new file in the place of another: a reader sees the old content or the new one, also after a power cut. The
 * content is written to `fresh`, which is open as `fd` and lies in the same folder. Permissions and owner of the replaced file
 * stay unless `mode` names others. Throws the system's error, and then `file` is what it was; `fresh` is the caller's to remove.
 */
export function putInPlace(
  fresh: { readonly fd: number; readonly name: string },
  file: string,
  content: string | Uint8Array,
  mode?: number,
): void {
  writeAll(fresh.fd, Buffer.from(content));
  const old = statSync(file, { throwIfNoEntry: false });
  const wanted = mode ?? (old === undefined ? undefined : old.mode & PERMISSIONS);
  if (wanted !== undefined) fchmodSync(fresh.fd, wanted);
  if (old !== undefined && process.getuid?.() === 0) chownSync(fresh.name, old.uid, old.gid);
  fsyncSync(fresh.fd);
  renameSync(fresh.name, file);
  syncFolder(path.dirname(file));
}

/**
 * Replaces a file, or makes it, all at once; see {@link putInPlace}. `mode`: its permissions; none: those of the file that is
 * replaced, and a new file is its owner's only. Throws the system's error, and then nothing has changed.
 */
export function replaceFile(file: string, content: string | Uint8Array, mode?: number): void {
  const name = freshNameOf(file);
  const fd = openSync(name, 'w', OWNER_ONLY);
  try {
    putInPlace({ fd, name }, file, content, mode);
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Appends bytes, all of them. */
export type Append = (bytes: Uint8Array) => Promise<void>;

/**
 * The same as {@link replaceFile} for a large content, which is written piece by piece while other work goes on. The file is
 * its owner's only.
 */
export async function replaceFileInPieces(
  file: string,
  write: (append: Append) => Promise<void>,
): Promise<void> {
  const name = freshNameOf(file);
  try {
    const handle = await open(name, 'w', OWNER_ONLY);
    try {
      // Unlike `write`, it goes on until all bytes are written.
      await write((bytes) => handle.writeFile(bytes));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(name, file);
  } catch (error) {
    await rm(name, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}

/** Two processes that replace the same file do not write into each other's. */
function freshNameOf(file: string): string {
  return `${file}.${process.pid}.new`;
}

/** Makes a renaming last. The new file is in place by then, so that a system that cannot do this is no fault. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Some file systems know no such thing.
  }
}
