import path from 'node:path';

/** The services. Each has an image. The settlement worker and the migrations run from the image of their service. */
export const SERVICES = [
  'gateway',
  'session-service',
  'serving-service',
  'events-service',
  'fraud-service',
  'console-service',
];

const SCOPE = '@placard/';
const NOT_PACKED = [
  // Sources and contracts. Their compiled form is in `dist`.
  /^(src|test|gen|placard)\//,
  /^node_modules\//,
  /^tsconfig.*\.json$/,
  /^dist\/testing\//,
  /\.(d\.ts|map|tsbuildinfo|md)$/,
];

/**
 * Folders of the packages whose code a service runs: its own package and its dependencies in the repository.
 * @param {string} service
 * @param {(folder: string) => { readonly dependencies?: Readonly<Record<string, string>> }} readManifest
 * @returns {readonly string[]}
 */
export function packagesOf(service, readManifest) {
  const found = new Set([service]);
  for (const folder of found) {
    for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
      if (name.startsWith(SCOPE)) found.add(name.slice(SCOPE.length));
    }
  }
  return [...found];
}

/**
 * Whether a file of a built package goes into an image.
 * @param {string} file from the package's folder
 */
export function isPacked(file) {
  const name = file.split(path.sep).join('/');
  return !NOT_PACKED.some((pattern) => pattern.test(name));
}
