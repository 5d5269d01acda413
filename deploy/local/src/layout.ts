import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Which script of a service is meant. */
export type Entry = 'main' | 'worker' | 'migrate';

/** Where the parts of the product stand. */
export interface Layout {
  readonly rootDir: string;
  /** Arguments of Node.js that run an entry of a service. */
  entryArgs(service: string, entry: Entry): readonly string[];
  /** Arguments of Node.js that run the watchdog; the list's file follows. */
  readonly watchdogArgs: readonly string[];
  readonly demoCatalogFile: string;
}

/** The repository; this file is one folder below the package, as source and as built. */
export const rootDir = path.resolve(fileURLToPath(new URL('../../..', import.meta.url)));

/** The product as `npm run build` leaves it. */
export const builtLayout: Layout = {
  rootDir,
  entryArgs: (service, entry) => ['--enable-source-maps', path.join(rootDir, service, 'dist', `${entry}.js`)],
  watchdogArgs: [path.join(rootDir, 'deploy', 'local', 'dist', 'process', 'watchdog.js')],
  demoCatalogFile: path.join(rootDir, 'deploy', 'local', 'demo-catalog.yaml'),
};
