import { packagesOf, SERVICES } from '../images/contents.mjs';
import { isForImage } from '../images/platform.mjs';
import { withoutVersions, type Manifest } from './versions.js';

/** The part of the repository that images are made from, at one commit. */
export interface Snapshot {
  /** Text of a file; null when the file does not exist. */
  readonly read: (file: string) => string | null;
}

/** One changed image and its first reasons. */
export interface ChangedImage {
  readonly service: string;
  /** Files, and `package@version` of packages that came or went; sorted. */
  readonly reasons: readonly string[];
}

/** Files that affect every image. */
const SHARED: ReadonlySet<string> = new Set([
  'deploy/images/Dockerfile',
  'deploy/images/contents.mjs',
  'deploy/images/pack.mjs',
  'deploy/images/platform.mjs',
  'deploy/images/sbom.mjs',
  'deploy/local/copy-assets.mjs',
  'tsconfig.base.json',
]);
/** Files of a package that affect no image. Its package.json is compared separately, since each release changes it. */
const NOT_BUILT = /^(test\/|src\/testing\/|placard\/|package\.json$)|\.test\.ts$|\.md$/;

/** The images with a change between two snapshots; `changedFiles` are the files that differ. */
export function changedImages(
  before: Snapshot,
  after: Snapshot,
  changedFiles: readonly string[],
): readonly ChangedImage[] {
  return SERVICES.flatMap((service) => {
    const folders = packagesOf(service, (folder) => manifestOf(after, folder) ?? {});
    const isInput = (file: string): boolean =>
      SHARED.has(file) ||
      folders.some(
        (folder) => file.startsWith(`${folder}/`) && !NOT_BUILT.test(file.slice(folder.length + 1)),
      );
    const manifests = folders.filter(
      (folder) => factsOf(manifestOf(before, folder)) !== factsOf(manifestOf(after, folder)),
    );
    const reasons = [
      ...changedFiles.filter(isInput),
      ...manifests.map((folder) => `${folder}/package.json`),
      ...difference(installedFor(before, folders), installedFor(after, folders)),
    ];
    return reasons.length === 0 ? [] : [{ service, reasons: [...new Set(reasons)].sort() }];
  });
}

function manifestOf({ read }: Snapshot, folder: string): Manifest | null {
  const text = read(`${folder}/package.json`);
  return text === null ? null : (JSON.parse(text) as Manifest);
}

/** A manifest without what every release changes. */
function factsOf(manifest: Manifest | null): string {
  return JSON.stringify(manifest === null ? null : withoutVersions(manifest));
}

function difference(before: ReadonlySet<string>, after: ReadonlySet<string>): readonly string[] {
  return [
    ...[...after].filter((name) => !before.has(name)),
    ...[...before].filter((name) => !after.has(name)),
  ];
}

/** An entry of the lock. */
interface Locked extends Manifest {
  readonly link?: boolean;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** `name@version` of the packages in the lock that an image of packages of the repository, by their folders, has. */
export function installedFor({ read }: Snapshot, folders: readonly string[]): ReadonlySet<string> {
  const text = read('package-lock.json');
  const lock = text === null ? {} : (JSON.parse(text) as { packages: Record<string, Locked> }).packages;
  const seen = new Set(folders);
  const installed = new Set<string>();
  for (const place of seen) {
    const { dependencies, peerDependencies, optionalDependencies } = lock[place] ?? {};
    for (const name of Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies })) {
      const found = findPlace(lock, place, name);
      if (found === null || lock[found]?.link === true || !isForImage(lock[found] ?? {})) continue;
      seen.add(found);
      installed.add(`${name}@${lock[found]?.version ?? ''}`);
    }
  }
  return installed;
}

/** The place where Node.js finds a package from another: beside it, or in a folder above. */
function findPlace(lock: Readonly<Record<string, Locked>>, from: string, name: string): string | null {
  for (let place = from; ; place = place.slice(0, Math.max(place.lastIndexOf('/'), 0))) {
    const candidate = `${place}${place === '' ? '' : '/'}node_modules/${name}`;
    if (candidate in lock) return candidate;
    if (place === '') return null;
  }
}
