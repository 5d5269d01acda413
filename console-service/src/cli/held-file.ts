import { OWNER_ONLY, putInPlace } from '@placard/service-kit/files';
import { closeSync, openSync, realpathSync, rmSync } from 'node:fs';
import { CommandError } from './command-error.js';

/** A file that this command alone may replace, until it has done so or lets go. */
export interface HeldFile {
  /** As it was named. */
  readonly name: string;
  /** Where the file itself is, behind all links. */
  readonly file: string;
  /**
   * Replaces what it holds, all at once: a reader sees the old text or the new one. Permissions and owner stay, so that root
   * may do it for the user whose file it is.
   */
  replace(text: string): void;
  /** Lets go of a file that is not to be replaced; nothing happens after a replacement. */
  release(): void;
}

/**
 * Takes hold of a file: what is read from here on is what will be replaced. The new file lies beside it (`FILE.new`) from now
 * on, and shows others that it is held. A CommandError says so when another command holds it; other errors are those
 * of the file system.
 */
export function holdFile(name: string): HeldFile {
  const file = realpathSync(name);
  const fresh = `${file}.new`;
  const handle = openFresh(name, fresh);
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    closeSync(handle);
    rmSync(fresh, { force: true });
  };
  const replace = (text: string): void => {
    try {
      putInPlace({ fd: handle, name: fresh }, file, text);
      isHeld = false;
      closeSync(handle);
    } finally {
      release();
    }
  };
  return { name, file, replace, release };
}

function openFresh(name: string, fresh: string): number {
  try {
    return openSync(fresh, 'wx', OWNER_ONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandError(
      `${name} is being replaced by another command. Nothing was changed; try again, or remove ${fresh} if none runs.`,
    );
  }
}
