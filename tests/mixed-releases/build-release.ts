import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Release } from '../../deploy/release/releases.js';
import { ROOT } from '../driver/placard.js';
import { hasManageApi, type Build } from './builds.js';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

const runFile = promisify(execFile);

/** Why the commit of a release cannot be built here; null when it can. */
export async function whyNotBuildable({ version, commit }: Release): Promise<string | null> {
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], ROOT);
    return null;
  } catch {
    return `this clone lacks commit ${commit} of release ${version}: git fetch --unshallow`;
  }
}

/** Checks out a release below a folder, installs its packages and builds it. */
export async function buildRelease({ version, commit }: Release, parent: string): Promise<Build> {
  const dir = path.join(parent, version);
  const archive = `${dir}.tar`;
  await mkdir(dir);
  await run('git', ['archive', '--output', archive, commit], ROOT);
  await run('tar', ['-xf', archive, '-C', dir], ROOT);
  await rm(archive);
  // Optional packages are platform binaries that neither the build nor the services need.
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['ci', ...options], dir);
  await run('npm', ['run', '--silent', 'build'], dir);
  const build = { name: version, dir };
  if (!hasManageApi(build)) await answerApplyIn(build);
  return build;
}

/** Lets console-service of a release without a management API be started by the current tree. */
async function answerApplyIn({ dir }: Build): Promise<void> {
  const main = path.join(dir, 'console-service', 'dist', 'main.js');
  const answering = new URL('answer-apply.mjs', import.meta.url).href;
  const lines = [
    `import { answerApply } from ${JSON.stringify(answering)};`,
    "answerApply(new URL('../bin/placard.mjs', import.meta.url));",
    await readFile(main, 'utf8'),
  ];
  await writeFile(main, lines.join('\n'));
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
