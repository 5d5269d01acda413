import { OWNER_ONLY, replaceFile } from '@placard/service-kit/files';
import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { DataFolder } from './data-folder.js';
import { codeOf, messageOf, StartError } from './start-error.js';

/** What must stay the same from start to start and must not be known outside. */
export interface Secrets {
  /** Key rings: `kid:base64url-of-32-bytes`, with which the data folder began; see {@link openKeyRings}. */
  readonly sessionTokenKeys: string;
  readonly impressionTokenKeys: string;
  /** 32 bytes in base64url. */
  readonly networkHashKey: string;
  readonly postgresPassword: string;
}

const NAMES = ['sessionTokenKeys', 'impressionTokenKeys', 'networkHashKey', 'postgresPassword'] as const;
const KEY_BYTES = 32;

/**
 * Reads the secrets of a data folder, or makes them at its first start (readable by the owner only). Throws a
 * {@link StartError} when the file is there and cannot be read: new ones would lock us out of the database and make
 * every token that is out invalid.
 */
export function openSecrets(file: string): Secrets {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unreadable(file, messageOf(error));
    const made = makeSecrets();
    replaceFile(file, `${JSON.stringify(made, null, 2)}\n`);
    return made;
  }
  return parse(file, text);
}

/**
 * The password of one who may use a store: a database role, or `redis`. It is made of the database's own password and cannot be
 * turned back into it, nor into another's, so that a data folder of any age has one for each, the same from start to start.
 */
export function passwordOf({ postgresPassword }: Pick<Secrets, 'postgresPassword'>, user: string): string {
  return createHmac('sha256', postgresPassword).update(user).digest('base64url');
}

/** The settings that name the files of the key rings. */
export interface KeyRingSettings {
  readonly SESSION_TOKEN_KEYS: string;
  readonly IMPRESSION_TOKEN_KEYS: string;
}

/**
 * The files of the key rings, readable by the owner only: made from the secrets at the first start, later as
 * `placard keys rotate` has written them.
 */
export function openKeyRings(folder: DataFolder, secrets: Secrets): KeyRingSettings {
  const open = (name: string, ring: string): string => {
    const file = folder.at('keys', name);
    if (existsSync(file)) chmodSync(file, OWNER_ONLY);
    else replaceFile(file, `${ring}\n`);
    return `file:${file}`;
  };
  try {
    mkdirSync(folder.at('keys'), { recursive: true, mode: 0o700 });
    chmodSync(folder.at('keys'), 0o700);
    return {
      SESSION_TOKEN_KEYS: open('session', secrets.sessionTokenKeys),
      IMPRESSION_TOKEN_KEYS: open('impression', secrets.impressionTokenKeys),
    };
  } catch (error) {
    throw new StartError(
      `The key rings in ${folder.at('keys')} cannot be written (${messageOf(error)}). ` +
        'Start as the user that the data folder belongs to, or choose another one: npm start -- --data DIR',
    );
  }
}

function makeSecrets(): Secrets {
  const key = (): string => randomBytes(KEY_BYTES).toString('base64url');
  const ring = (): string => `k${randomBytes(4).toString('hex')}:${key()}`;
  return {
    sessionTokenKeys: ring(),
    impressionTokenKeys: ring(),
    networkHashKey: key(),
    postgresPassword: key(),
  };
}

function parse(file: string, text: string): Secrets {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(file, 'it is not JSON');
  }
  const secrets = value as Partial<Record<string, unknown>> | null;
  for (const name of NAMES) {
    const secret = secrets?.[name];
    if (typeof secret !== 'string' || secret === '') throw unreadable(file, `${name} is missing`);
  }
  return secrets as unknown as Secrets;
}

function unreadable(file: string, reason: string): StartError {
  return new StartError(
    `The secrets in ${file} cannot be read (${reason}). ` +
      'Put the file back from a backup, or start with a new data folder: npm start -- --data DIR',
  );
}
