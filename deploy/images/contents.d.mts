/** The services that have an image each. */
export declare const SERVICES: readonly string[];

/** What is read of a package.json. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The folders of the packages whose code a service runs: its own, and those that these depend on. */
export declare function packagesOf(
  service: string,
  readManifest: (folder: string) => Manifest,
): readonly string[];

/** Whether a file of a built package, named from the package's folder, goes into an image. */
export declare function isPacked(file: string): boolean;
