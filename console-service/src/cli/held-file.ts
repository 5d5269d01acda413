import { OWNER_ONLY, putInPlace } from '@placard/service-kit/files';
import { closeSync, openSync, realpathSync, rmSync } from 'node:fs';
import { CommandError } from './command-error.js';

/** A file that only this command may replace, until it replaces or releases it. */
export interface HeldFile {
  /** The name on the command line. */
  readonly name: string;
  /** The path of the file itself, after all links. */
  readonly file: string;
  /**
   * Replaces the content atomically: a reader sees the old text or the new one. Permissions and owner stay, so that root may
   * replace a user's file.
   */
  replace(text: string): void;
  /** Releases the file without a replacement. Does nothing after a replacement. */
  release(): void;
}

/**
 * Holds a file: nobody else replaces the text that is read from now on. The new file is created beside it (`FILE.new`) at
 * once and shows others that the file is held. Errors: a CommandError when another command holds it, and those of the file
 * system.
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
