import { OWNER_ONLY, replaceFile } from '@placard/service-kit/files';
import { createHmac, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import type { DataFolder } from '../data-folder.js';
import { codeOf, messageOf, StartError } from '../start-error.js';
import { given } from './given.js';

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

/** The keys that services want of each other: the operator's, else those of the data folder. */
export interface CallKeySettings {
  readonly CATALOG_READ_KEY: string;
  readonly LEDGER_WRITE_KEY: string;
}

/** Makes {@link CallKeySettings}. A key of the data folder is derived like {@link passwordOf}; empty: it is not wanted. */
export function callKeysOf({
  secrets,
  env,
  hasCallKeys,
}: {
  readonly secrets: Pick<Secrets, 'postgresPassword'>;
  readonly env: NodeJS.ProcessEnv;
  readonly hasCallKeys: boolean;
}): CallKeySettings {
  const keyOf = (setting: keyof CallKeySettings): string => {
    const own = createHmac('sha256', secrets.postgresPassword).update(setting).digest('hex');
    return given(env, setting) ?? (hasCallKeys ? own : '');
  };
  return { CATALOG_READ_KEY: keyOf('CATALOG_READ_KEY'), LEDGER_WRITE_KEY: keyOf('LEDGER_WRITE_KEY') };
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
  return keysOf(folder, () => ({
    SESSION_TOKEN_KEYS: open('session', secrets.sessionTokenKeys),
    IMPRESSION_TOKEN_KEYS: open('impression', secrets.impressionTokenKeys),
  }));
}

/** The API key with which the `placard` command of this machine calls the management API. */
export interface OperatorKey {
  /** A file that only its owner can read. */
  readonly file: string;
  /** `plk_`, 16 hex digits, `_` and 64 hex digits. */
  readonly text: string;
}

/** The key of a data folder, which its first start makes. console-service accepts it as its `BOOTSTRAP_KEY`. */
export function openOperatorKey(folder: DataFolder): OperatorKey {
  const file = operatorFileOf(folder);
  if (!existsSync(file)) return renewOperatorKey(folder);
  return keysOf(folder, () => {
    chmodSync(file, OWNER_ONLY);
    return { file, text: readFileSync(file, 'utf8').trim() };
  });
}

/** Makes a key in the place of that of a data folder. The one before is lost. */
export function renewOperatorKey(folder: DataFolder): OperatorKey {
  const file = operatorFileOf(folder);
  const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
  const text = `plk_${hex(8)}_${hex(KEY_BYTES)}`;
  return keysOf(folder, () => {
    replaceFile(file, `${text}\n`, OWNER_ONLY);
    return { file, text };
  });
}

function operatorFileOf(folder: DataFolder): string {
  return folder.at('keys', 'operator');
}

/** The key of an instance, or that which its operator has set. */
interface GivenKey {
  readonly env: NodeJS.ProcessEnv;
  readonly operatorKey: OperatorKey;
}

/** The key that the management API accepts from the start: the operator's own, else that of the data folder. */
export function operatorKeyOf({ env, operatorKey }: GivenKey): string {
  return given(env, 'BOOTSTRAP_KEY') ?? operatorKey.text;
}

/** The file of that key. Null: the operator has set the key directly. */
export function operatorKeyFileOf({ env, operatorKey }: GivenKey): string | null {
  return given(env, 'BOOTSTRAP_KEY') === undefined ? operatorKey.file : null;
}

/** Works in the folder of keys, which only its owner can open. */
function keysOf<T>(folder: DataFolder, work: () => T): T {
  try {
    mkdirSync(folder.at('keys'), { recursive: true, mode: 0o700 });
    chmodSync(folder.at('keys'), 0o700);
    return work();
  } catch (error) {
    throw new StartError(
      `The keys in ${folder.at('keys')} cannot be written (${messageOf(error)}). ` +
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
