import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { messageOf, StartError } from './start-error.js';

/** A data folder. It has all data of one instance. */
export interface DataFolder {
  readonly dir: string;
  /** The path of a file or folder in it. */
  at(...names: string[]): string;
}

const OWN = 0o700;

/**
 * Permissions of a folder above Postgres's data. Started by root, Postgres runs as another user, who may enter and not list it.
 */
function passableMode(): number {
  return process.getuid?.() === 0 ? 0o711 : OWN;
}

/** Opens a data folder and makes missing parts of it. Throws a {@link StartError} when it cannot be written. */
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
        'Start as its owner, or choose another folder: npm start -- --data DIR',
    );
  }
  return folder;
}

/**
 * The folder for downloaded tools: one for all data folders of a checkout, or in the data folder when the checkout is
 * read-only.
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
