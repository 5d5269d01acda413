import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A script of a service. */
export type Entry = 'main' | 'worker';

/** Places of the parts of the product. */
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
  /** Arguments of Node.js that run the watchdog, to be followed by the file of the process list. */
  readonly watchdogArgs: readonly string[];
  readonly demoCatalogFile: string;
}

/** Folder of the repository. This file is one folder below the package, as source and built. */
export const rootDir = path.resolve(fileURLToPath(new URL('../../..', import.meta.url)));

const builtIn = (dir: string, folder: string, name: string): string =>
  path.join(dir, folder, 'dist', `${name}.js`);

/**
 * Arguments of Node.js for a service, here and in the images. The HTTP proxy's library calls `util._extend`, whose warning is
 * of no use to operators. Objects of requests are short-lived: young halves of 16 MiB are faster than the 64 MiB of
 * Node.js 24, and save some 100 MiB in each process.
 */
export const NODE_ARGS = ['--disable-warning=DEP0060', '--max-semi-space-size=16'] as const;

/** Largest heap of old objects by name of the service, in MiB; missing: the default of Node.js. */
export type HeapsMiB = Readonly<Record<string, number>>;

/**
 * The layout of a product whose services are in `servicesDir`, each package in a folder of its name. Links there can lead to
 * other builds.
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

/** The layout of the product after `npm run build`. */
export const builtLayout: Layout = layoutWith(rootDir);
