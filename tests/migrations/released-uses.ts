import { execFileSync } from 'node:child_process';
import { readReleases } from '../../deploy/release/releases.js';
import { ROOT } from '../tidy/source-files.js';
import type { FindUse } from './contract-rules.js';

/**
 * Finds a name in the code of the recorded releases, which may run on the migrated tables. Throws when this clone lacks a commit: then nothing
 * proves that the name is unused.
 */
export const usesOfReleases: FindUse = (name) => {
  for (const { version, commit } of readReleases(ROOT)) {
    if (git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`).length === 0)
      throw new Error(`this clone lacks commit ${commit} of ${version}: git fetch --unshallow`);
    const places = [`:(glob)*-service/src/**/*.sql`, `:(glob)*-service/src/**/*.ts`];
    const [place] = git(
      'grep',
      '--word-regexp',
      '--fixed-strings',
      '--files-with-matches',
      '-e',
      name,
      commit,
      '--',
      ...places,
    );
    if (place !== undefined) return `${place.slice(commit.length + 1)} of ${version}`;
  }
  return null;
};

/** The lines of a git command; none when it finds nothing. */
function git(...args: readonly string[]): readonly string[] {
  try {
    const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'pipe'];
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio })
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as { readonly status?: number }).status === 1) return [];
    throw error;
  }
}
