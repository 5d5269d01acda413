const SCOPE = '@placard/';
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** The used part of a package.json. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

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

/** A package of this repository with a new version, for itself and its dependencies in the repository. */
export function withVersion<M extends Manifest>(manifest: M, version: string): M {
  const { dependencies } = manifest;
  if (dependencies === undefined) return { ...manifest, version };
  const entries = Object.entries(dependencies).map(
    ([name, wanted]) => [name, name.startsWith(SCOPE) ? version : wanted] as const,
  );
  return { ...manifest, version, dependencies: Object.fromEntries(entries) };
}

/** The used part of a package-lock.json. */
export interface Lock {
  readonly version: string;
  readonly packages: Readonly<Record<string, Manifest>>;
}

/** Sets the version in the lock, for the packages outside `node_modules`. */
export function lockWithVersion(lock: Lock, version: string): Lock {
  const packages = Object.entries(lock.packages).map(
    ([place, manifest]) =>
      [place, place.includes('node_modules/') ? manifest : withVersion(manifest, version)] as const,
  );
  return { ...lock, version, packages: Object.fromEntries(packages) };
}

/** JSON in npm's format. */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
