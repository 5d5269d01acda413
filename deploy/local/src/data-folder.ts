import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { messageOf, StartError } from './start-error.js';

/** A data folder: everything that one instance keeps. */
export interface DataFolder {
  readonly dir: string;
  /** A file or folder in it. */
  at(...names: string[]): string;
}

/** Opens a data folder and makes what is missing in it. Throws a {@link StartError} when it cannot be written. */
export function openDataFolder(dir: string): DataFolder {
  const folder: DataFolder = { dir, at: (...names) => path.join(dir, ...names) };
  try {
    // Others may pass through (as root, Postgres runs as another user) but not look around.
    mkdirSync(dir, { recursive: true, mode: 0o711 });
    for (const name of ['logs', 'cache']) mkdirSync(folder.at(name), { recursive: true, mode: 0o711 });
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
    mkdirSync(shared, { recursive: true, mode: 0o711 });
    accessSync(shared, constants.W_OK | constants.X_OK);
    return shared;
  } catch {
    return folder.at('cache');
  }
}
