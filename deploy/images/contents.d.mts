/** The services. Each has an image. */
export declare const SERVICES: readonly string[];

/** The used part of a package.json. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Folders of the packages whose code a service runs: its own package and its dependencies in the repository. */
export declare function packagesOf(
  service: string,
  readManifest: (folder: string) => Manifest,
): readonly string[];

/** Whether a file of a built package, by its path in the package, goes into an image. */
export declare function isPacked(file: string): boolean;
