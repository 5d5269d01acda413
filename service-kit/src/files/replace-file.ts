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
 * Writes all bytes. One write may take only a part of them, for example on a full disk or under a limit of file sizes.
 * Throws the system's error when no more can be written.
 */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(fd, rest));
}

/**
 * Replaces a file by a new one at once: a reader sees the old content or the new one, even after a power cut. The
 * content is written to `fresh`, which is open as `fd` and must be in the same folder. The file keeps its permissions
 * and owner unless `mode` is given. Throws the system's error and then leaves `file` unchanged; the caller removes
 * `fresh`.
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
 * Creates or replaces a file at once; see {@link putInPlace}. `mode` sets its permissions. Without it a replaced file
 * keeps its permissions, and a new file is readable by its owner only. Throws the system's error, and then nothing has
 * changed.
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

/** Appends all of the bytes. */
export type Append = (bytes: Uint8Array) => Promise<void>;

/**
 * As {@link replaceFile}, but for large content, which is written in pieces while other work continues. The file is
 * readable by its owner only.
 */
export async function replaceFileInPieces(
  file: string,
  write: (append: Append) => Promise<void>,
): Promise<void> {
  const name = freshNameOf(file);
  try {
    const handle = await open(name, 'w', OWNER_ONLY);
    try {
      // Unlike `write`, `writeFile` continues until all bytes are written.
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

/** A new name, so that two processes that replace the same file do not write into the same new file. */
function freshNameOf(file: string): string {
  return `${file}.${process.pid}.new`;
}

/** Makes a rename durable. The new file is in place already, so a system without support for this causes no error. */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Some file systems do not support this.
  }
}
