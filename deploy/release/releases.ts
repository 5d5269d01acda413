import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A release of the repository. */
export interface Release {
  readonly version: string;
  /** The released code. The commit of the release follows it and changes only version numbers and the changelog. */
  readonly commit: string;
}

/** Content of the release file. */
export interface ReleaseFile {
  /** The releases that must work beside the current tree, newest first. */
  readonly releases: readonly [Release, ...Release[]];
}

/** The file that records the last releases. */
export const RELEASE_FILE = 'deploy/release/release.json';

/** Recorded releases at most. With the next one they are three, any two of which work together. */
const RECORDED_MAX = 2;

/** The recorded releases, newest first. `root`: folder of the repository. */
export function readReleases(root: string): ReleaseFile['releases'] {
  return (JSON.parse(readFileSync(path.join(root, RELEASE_FILE), 'utf8')) as ReleaseFile).releases;
}

/** Adds a release; the oldest goes when there are too many. */
export function withRelease(releases: readonly Release[], release: Release): ReleaseFile['releases'] {
  return [release, ...releases.slice(0, RECORDED_MAX - 1)];
}

/** The file with the contracts of a release. */
export function contractsFile(version: string): string {
  return `deploy/release/contracts/${version}.binpb`;
}
