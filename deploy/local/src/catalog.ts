import type { TlsFiles } from '@placard/service-kit';
import { OWNER_ONLY, readCatalogText, replaceFile } from '@placard/service-kit/files';
import { CATALOG_APPLY_MS_MAX } from '@placard/service-kit/pure';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request, type Dispatcher } from 'undici';
import { parse } from 'yaml';
import { messageOf, StartError } from './start-error.js';

/** An app with which a person can try the product. */
export interface DemoApp {
  readonly appKey: string;
  readonly packageName: string;
}

const EXPORT_MS_MAX = 5_000;
const KEY_CHECK_MS_MAX = 5_000;
const UNAUTHENTICATED = 401;
/** The name of the key of the page `/try` in the list of keys. */
const READ_KEY_NAME = 'page /try';
/** Largest export that is searched for an app to show, in characters. */
const SEARCHED_CHARS_MAX = 1_000_000;
/** Most faults of a catalog file that are shown. A file can have thousands. */
const FAULTS_SHOWN_MAX = 200;

/** The result of applying a file. */
export interface Applied {
  readonly changeCount: number;
  /** Notes `path: the kept value and the reason`. */
  readonly notes: readonly string[];
}

/** A client of the management API, like that of the `placard` command. */
export interface CatalogClient {
  /** Whether the API refuses the key of this client. False also when it does not answer: the next call says why. */
  isKeyRefused(): Promise<boolean>;
  /** Applies a file and returns the changes. Throws a {@link StartError} with every fault when it is refused. */
  apply(file: string, options: { readonly onlyIfEmpty: boolean }): Promise<Applied>;
  /** An app of the stored catalog to show, see {@link appToShow}; `file` is the one that was applied. */
  findApp(file: string): Promise<DemoApp | null>;
  /** A key that may only read: that in `file` while it is valid, else a new one, which is kept there. Null: none was created. */
  openReadKey(file: string): Promise<string | null>;
  close(): void;
}

/** Where the management API is, and a key that may change the catalog. */
export interface ManageAt {
  readonly url: string;
  readonly key: string;
  /** Files with the authority of its certificate. Null: without TLS. */
  readonly tls: TlsFiles | null;
}

/** Opens a client of the management API. */
export function openCatalogClient({ url, key, tls }: ManageAt): CatalogClient {
  const connect = tls === null ? {} : { ca: readFileSync(tls.caFile), servername: 'console-service' };
  const agent = new Agent({
    connect,
    headersTimeout: CATALOG_APPLY_MS_MAX,
    bodyTimeout: CATALOG_APPLY_MS_MAX,
  });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/yaml' };
  const call = (path: string, options: Partial<Dispatcher.RequestOptions>) =>
    request(`${url}/manage/v1${path}`, { dispatcher: agent, method: 'GET', headers, ...options });
  const statusFor = async (text: string): Promise<number> => {
    const signal = AbortSignal.timeout(KEY_CHECK_MS_MAX);
    const sent = { Authorization: `Bearer ${text}` };
    const answer = await call('/apps', { query: { limit: 1 }, headers: sent, signal });
    await answer.body.dump();
    return answer.statusCode;
  };
  return {
    async isKeyRefused() {
      try {
        return (await statusFor(key)) === UNAUTHENTICATED;
      } catch {
        return false;
      }
    },
    async apply(file, { onlyIfEmpty }) {
      const body = readCatalogFile(file);
      try {
        const query = { only_if_empty: onlyIfEmpty };
        const answer = await call('/catalog/apply', { method: 'POST', query, body });
        return readAnswer(file, (await answer.body.json()) as ApplyAnswer);
      } catch (error) {
        if (error instanceof StartError) throw error;
        throw new StartError(`The catalog ${file} could not be applied: ${messageOf(error)}`);
      }
    },
    async findApp(file) {
      try {
        const answer = await call('/catalog/export', { signal: AbortSignal.timeout(EXPORT_MS_MAX) });
        const stored = await answer.body.text();
        return answer.statusCode === 200 ? appToShow(readCatalogFile(file), stored) : null;
      } catch {
        return null;
      }
    },
    async openReadKey(file) {
      const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
      if (kept !== '' && (await statusFor(kept)) === 200) return kept;
      const answer = await call('/keys', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
        body: JSON.stringify({ name: READ_KEY_NAME, role: 'readonly' }),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 201) return null;
      const made = (JSON.parse(text) as { readonly text: string }).text;
      replaceFile(file, `${made}\n`, OWNER_ONLY);
      return made;
    },
    close: () => void agent.close(),
  };
}

/** The changes, or problem details. */
interface ApplyAnswer {
  readonly changes?: readonly unknown[];
  readonly notes?: readonly string[];
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

function readAnswer(file: string, { changes, notes = [], detail, errors = [] }: ApplyAnswer): Applied {
  if (changes !== undefined) return { changeCount: changes.length, notes };
  if (errors.length === 0) throw new StartError(`The catalog ${file} could not be applied: ${detail ?? ''}`);
  throw new StartError(
    refusal(
      file,
      errors.map((error) => `${error.field}: ${error.detail}`),
    ),
  );
}

function readCatalogFile(file: string): string {
  const read = readCatalogText(file);
  if ('fault' in read) throw new StartError(`The catalog file ${file} ${read.fault}`);
  return read.text;
}

/** The message for a catalog file with faults. */
export function refusal(file: string, faults: readonly string[]): string {
  const shown = faults.slice(0, FAULTS_SHOWN_MAX);
  const more = faults.length - shown.length;
  return [
    `The catalog file ${file} was refused and nothing of it was applied:`,
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join('\n  ');
}

/** An app of the stored catalog: the first of the applied file, else the first of all; null when there is none. */
export function appToShow(appliedText: string, storedText: string): DemoApp | null {
  const stored = appsOf(storedText);
  const placeOf = ({ appKey }: StoredApp): number => appliedText.indexOf(appKey);
  const applied = stored.filter((app) => placeOf(app) !== -1).sort((a, b) => placeOf(a) - placeOf(b));
  return firstOf(applied) ?? firstOf(stored);
}

interface StoredApp extends DemoApp {
  /** Whether the app and its publisher are approved. */
  readonly isLive: boolean;
}

/** The first live app, else the first app. */
function firstOf(apps: readonly StoredApp[]): DemoApp | null {
  const found = apps.find(({ isLive }) => isLive) ?? apps[0];
  return found === undefined ? null : { appKey: found.appKey, packageName: found.packageName };
}

/** The apps of an exported catalog; none when it is too large to be searched. */
function appsOf(storedText: string): StoredApp[] {
  if (storedText.length > SEARCHED_CHARS_MAX) return [];
  const catalog = parse(storedText) as {
    publishers?: {
      approved?: boolean;
      apps?: { app_key: string; package_name: string; approved?: boolean }[];
    }[];
  } | null;
  return (catalog?.publishers ?? []).flatMap(({ approved: isPublisherApproved = false, apps = [] }) =>
    apps.map((app) => ({
      appKey: app.app_key,
      packageName: app.package_name,
      isLive: isPublisherApproved && app.approved === true,
    })),
  );
}
