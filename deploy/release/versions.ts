import { SERVICES } from '../images/contents.mjs';

const SCOPE = '@placard/';
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** The used part of a package.json. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The version of each package of this repository, by its name. */
export type Versions = ReadonlyMap<string, string>;

/** Negative when `a` is older. Both must be `X.Y.Z`; null when one is not a version. */
export function compareVersions(a: string, b: string): number | null {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  if (left === null || right === null) return null;
  for (const part of [1, 2, 3]) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The versions after the release `version`: a service keeps its own unless it is one of `changed`; everything else has that of
 * the release.
 */
export function versionsAfter(
  manifests: readonly Manifest[],
  changed: readonly string[],
  version: string,
): Versions {
  const kept = SERVICES.filter((service) => !changed.includes(service)).map((service) => SCOPE + service);
  return new Map(
    manifests.flatMap(({ name, version: own }) =>
      name === undefined || own === undefined ? [] : [[name, kept.includes(name) ? own : version] as const],
    ),
  );
}

/** A package with new versions, for itself and its dependencies in this repository. */
export function withVersions<M extends Manifest>(manifest: M, versions: Versions): M {
  return mapVersions(manifest, (name, version) => versions.get(name) ?? version);
}

/** A package without the versions that releases change: its own and those of its dependencies in this repository. */
export function withoutVersions(manifest: Manifest): Manifest {
  const dependencies = mapVersions(manifest, (name, version) => (name.startsWith(SCOPE) ? '' : version));
  return { ...dependencies, version: '' };
}

function mapVersions<M extends Manifest>(
  manifest: M,
  versionOf: (name: string, version: string) => string,
): M {
  const { name = '', version, dependencies } = manifest;
  const own = version === undefined ? {} : { version: versionOf(name, version) };
  if (dependencies === undefined) return { ...manifest, ...own };
  const entries = Object.entries(dependencies).map(
    ([other, wanted]) => [other, versionOf(other, wanted)] as const,
  );
  return { ...manifest, ...own, dependencies: Object.fromEntries(entries) };
}

/** The used part of a package-lock.json. */
export interface Lock extends Manifest {
  readonly packages: Readonly<Record<string, Manifest>>;
}

/** Sets the versions in the lock, for the packages outside `node_modules`. */
export function lockWithVersions(lock: Lock, versions: Versions): Lock {
  const packages = Object.entries(lock.packages).map(
    ([place, manifest]) =>
      [place, place.includes('node_modules/') ? manifest : withVersions(manifest, versions)] as const,
  );
  return { ...withVersions(lock, versions), packages: Object.fromEntries(packages) };
}

/** JSON in npm's format. */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
