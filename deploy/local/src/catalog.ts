import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { ConsoleServiceClient, type ApplyCatalogResponse } from '@placard/protos/console/v1/console.js';
import { readCatalogText } from '@placard/service-kit/files';
import { CATALOG_APPLY_MS_MAX } from '@placard/service-kit/pure';
import { parse } from 'yaml';
import { StartError } from './start-error.js';

/** An app with which a person can try the product. */
export interface DemoApp {
  readonly appKey: string;
  readonly packageName: string;
}

const EXPORT_MS_MAX = 5_000;
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

/** A client of console-service, like that of the `placard` command. */
export interface CatalogClient {
  /** Applies a file and returns the changes. Throws a {@link StartError} with every fault when it is refused. */
  apply(file: string, options: { readonly onlyIfEmpty: boolean }): Promise<Applied>;
  /** An app of the stored catalog to show, see {@link appToShow}; `file` is the one that was applied. */
  findApp(file: string): Promise<DemoApp | null>;
  close(): void;
}

/** Opens a client of console-service at `host:port`. */
export function openCatalogClient(address: string): CatalogClient {
  const client = new ConsoleServiceClient(address, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
    'grpc.max_receive_message_length': -1,
  });
  return {
    async apply(file, { onlyIfEmpty }) {
      const text = readCatalogFile(file);
      const answer = await call<ApplyCatalogResponse>(file, (done) =>
        client.applyCatalog(
          { file: text, prune: false, onlyIfEmpty },
          new Metadata(),
          { deadline: Date.now() + CATALOG_APPLY_MS_MAX },
          done,
        ),
      );
      if (answer.faults.length > 0) throw new StartError(refusal(file, answer.faults));
      return { changeCount: answer.changes.length, notes: answer.notes };
    },
    findApp: (file) =>
      new Promise((resolve) => {
        client.exportCatalog({}, new Metadata(), { deadline: Date.now() + EXPORT_MS_MAX }, (error, answer) =>
          resolve(error === null ? appToShow(readCatalogFile(file), answer.file) : null),
        );
      }),
    close: () => client.close(),
  };
}

function readCatalogFile(file: string): string {
  const read = readCatalogText(file);
  if ('fault' in read) throw new StartError(`The catalog file ${file} ${read.fault}`);
  return read.text;
}

function call<Answer>(
  file: string,
  start: (done: (error: ServiceError | null, answer: Answer) => void) => unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    start((error, answer) => {
      if (error === null) resolve(answer);
      else reject(new StartError(`The catalog ${file} could not be applied: ${error.details}`));
    });
  });
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
