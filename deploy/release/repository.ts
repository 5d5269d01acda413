import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Snapshot } from './changed-images.js';
import { RELEASE_FILE, type Release } from './releases.js';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** The output of a git command, without the last line end; throws an error with git's message when it fails. */
export function git(root: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: OUTPUT_BYTES_MAX,
    }).trimEnd();
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    const why = stderr.trim().split('\n').at(-1);
    throw new Error(
      `git ${args.join(' ')} failed: ${why === undefined || why === '' ? String(error) : why}`,
      {
        cause: error,
      },
    );
  }
}

/**
 * The commit of a release, which its tag names: the child of the recorded commit that recorded it. Throws a sentence when
 * this clone does not have it.
 */
export function releaseCommit(root: string, { version, commit }: Release): string {
  const isShallow = git(root, 'rev-parse', '--is-shallow-repository') === 'true';
  const children = isKnown(root, commit) ? childrenOf(root, commit) : [];
  const found = children.find((child) => git(root, 'show', `${child}:${RELEASE_FILE}`).includes(commit));
  if (found !== undefined) return found;
  const remedy = isShallow
    ? 'fetch the whole history: git fetch --unshallow'
    : 'fetch main: git fetch origin main';
  throw new Error(`this clone lacks the commit of the release ${version}; ${remedy}`);
}

function isKnown(root: string, commit: string): boolean {
  try {
    git(root, 'merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

function childrenOf(root: string, commit: string): readonly string[] {
  const lines = git(root, 'rev-list', '--parents', '--ancestry-path', `${commit}..HEAD`).split('\n');
  return lines.flatMap((line) => {
    const [child = '', ...parents] = line.split(' ');
    return parents.includes(commit) ? [child] : [];
  });
}

/** Runs a command that prints its own output; throws when it fails. */
export function run(root: string, command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw new Error(`${command} could not be run: ${error.message}`);
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(' ')} failed; its output above has the reason. Nothing was written.`,
    );
}

/** The files of a commit. */
export function snapshotAt(root: string, commit: string): Snapshot {
  const files = new Set(git(root, 'ls-tree', '-r', '--name-only', commit).split('\n'));
  return { read: (file) => (files.has(file) ? git(root, 'show', `${commit}:${file}`) : null) };
}

/** The files of the working tree. */
export function snapshotOfTree(root: string): Snapshot {
  return {
    read: (file) => {
      const full = path.join(root, file);
      return existsSync(full) ? readFileSync(full, 'utf8') : null;
    },
  };
}
