import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Which script of a service is meant. */
export type Entry = 'main' | 'worker';

/** Where the parts of the product stand. */
export interface Layout {
  readonly rootDir: string;
  /** Arguments of Node.js that run an entry of a service. */
  entryArgs(service: string, entry: Entry): readonly string[];
  /** Arguments of Node.js that run the migrations of services, one after the other. */
  migrationArgs(services: readonly string[]): readonly string[];
  /** A module of a package, as {@link Layout.settingsArgs} loads it. */
  modulePath(folder: string, name: string): string;
  /** Arguments of Node.js that check the settings of all processes. */
  readonly settingsArgs: readonly string[];
  /** Arguments of Node.js that run the watchdog; the list's file follows. */
  readonly watchdogArgs: readonly string[];
  readonly demoCatalogFile: string;
}

/** The repository; this file is one folder below the package, as source and as built. */
export const rootDir = path.resolve(fileURLToPath(new URL('../../..', import.meta.url)));

const builtIn = (dir: string, folder: string, name: string): string =>
  path.join(dir, folder, 'dist', `${name}.js`);

/**
 * How Node.js runs a service, here and in the images. The HTTP proxy's library calls `util._extend`, which works and is of no
 * interest to who reads the output. What a request makes is short-lived: two halves of 16 MiB for the young are quicker than the
 * 64 MiB that Node.js 24 would take, and keep some 100 MiB less in each process.
 */
export const NODE_ARGS = ['--disable-warning=DEP0060', '--max-semi-space-size=16'] as const;

/** Most that the heap of old objects of a service may take, in MiB, by the service's name; not named: as Node.js has it. */
export type HeapsMiB = Readonly<Record<string, number>>;

/**
 * The product with services that stand elsewhere: `servicesDir` holds their packages in folders of their names, and links there
 * can lead to other builds.
 */
export function layoutWith(servicesDir: string, heapsMiB: HeapsMiB = {}): Layout {
  const local = (name: string): string => builtIn(rootDir, 'deploy/local', name);
  const built = (folder: string, name: string): string => builtIn(servicesDir, folder, name);
  return {
    rootDir,
    entryArgs(service, entry) {
      const heap = heapsMiB[service];
      const heapArgs = heap === undefined ? [] : [`--max-old-space-size=${heap}`];
      return [...NODE_ARGS, ...heapArgs, built(service, entry)];
    },
    migrationArgs: (services) => [
      local('process/run-migrations'),
      ...services.map((service) => built(service, 'migrate')),
    ],
    modulePath: built,
    settingsArgs: [local('process/check-settings')],
    watchdogArgs: [local('process/watchdog')],
    demoCatalogFile: path.join(rootDir, 'deploy', 'local', 'demo-catalog.yaml'),
  };
}

/** The product as `npm run build` leaves it. */
export const builtLayout: Layout = layoutWith(rootDir);
