import { OWNER_ONLY, replaceFile } from '@placard/service-kit/files';
import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { DataFolder } from '../data-folder.js';
import { codeOf, messageOf, StartError } from '../start-error.js';

/** Secrets that stay the same over starts. */
export interface Secrets {
  /** The first key rings of the data folder: `kid:base64url-of-32-bytes`; see {@link openKeyRings}. */
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
 * {@link StartError} when the file exists and cannot be read: with new secrets the database could not be opened and all
 * issued tokens would be invalid.
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
 * The password of a user of a store: a database role, or `redis`. It is derived one-way from the database's own password. So a
 * data folder of any release has one for each user, the same at each start.
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
 * The files of the key rings, readable by the owner only. The first start makes them from the secrets; `placard keys rotate`
 * changes them later.
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
        'Start as the owner of the data folder, or choose another folder: npm start -- --data DIR',
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
