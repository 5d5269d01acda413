import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { messageOf, StartError } from './start-error.js';

/** A data folder: everything that one instance keeps. */
export interface DataFolder {
  readonly dir: string;
  /** A file or folder in it. */
  at(...names: string[]): string;
}

const OWN = 0o700;

/**
 * Permissions of a folder through which Postgres must pass: as root, it runs as another user, who may pass but not look around.
 */
function passableMode(): number {
  return process.getuid?.() === 0 ? 0o711 : OWN;
}

/** Opens a data folder and makes what is missing in it. Throws a {@link StartError} when it cannot be written. */
export function openDataFolder(dir: string): DataFolder {
  const folder: DataFolder = { dir, at: (...names) => path.join(dir, ...names) };
  try {
    mkdirSync(dir, { recursive: true, mode: passableMode() });
    mkdirSync(folder.at('cache'), { recursive: true, mode: passableMode() });
    mkdirSync(folder.at('logs'), { recursive: true, mode: OWN });
    chmodSync(folder.at('logs'), OWN);
    for (const name of [dir, folder.at('logs'), folder.at('cache')]) {
      accessSync(name, constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    throw new StartError(
      `The data folder ${dir} cannot be written (${messageOf(error)}). ` +
        'Start as the user that it belongs to, or choose another one: npm start -- --data DIR',
    );
  }
  return folder;
}

/**
 * Where downloaded tools are kept: one place for all data folders of a checkout, or the data folder itself when the
 * checkout cannot be written.
 */
export function toolCacheDir(rootDir: string, folder: DataFolder): string {
  const shared = path.join(rootDir, '.data', 'cache');
  try {
    mkdirSync(shared, { recursive: true, mode: passableMode() });
    accessSync(shared, constants.W_OK | constants.X_OK);
    return shared;
  } catch {
    return folder.at('cache');
  }
}
