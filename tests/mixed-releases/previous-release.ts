import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../driver/placard.js';

/** The record of the last release by `npm run release`. */
export interface RecordedRelease {
  readonly version: string;
  /** The released commit. The release's own commit after it changes only version numbers and the changelog. */
  readonly commit: string;
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

const runFile = promisify(execFile);

/** Reads the record. */
export function recordedRelease(): RecordedRelease {
  const file = path.join(ROOT, 'deploy', 'release', 'release.json');
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedRelease;
}

/** Why the recorded commit cannot be built here; null when it can. */
export async function whyNotBuildable({ commit }: RecordedRelease): Promise<string | null> {
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], ROOT);
    return null;
  } catch {
    return `this clone lacks commit ${commit} of the last release: git fetch --unshallow`;
  }
}

/** Checks out a commit into a folder, installs its packages and builds it. */
export async function buildCommit(commit: string, dir: string): Promise<void> {
  const archive = `${dir}.tar`;
  await mkdir(dir);
  await run('git', ['archive', '--output', archive, commit], ROOT);
  await run('tar', ['-xf', archive, '-C', dir], ROOT);
  await rm(archive);
  // Optional packages are platform binaries that neither the build nor the services need.
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['ci', ...options], dir);
  await run('npm', ['run', '--silent', 'build'], dir);
}

/** Runs a program to its end; on failure throws an error with the end of its output. */
async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await runFile(command, args, { cwd, maxBuffer: OUTPUT_BYTES_MAX });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${`${stdout}\n${stderr}`.slice(-2_000)}`, {
      cause: error,
    });
  }
}
