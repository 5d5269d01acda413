import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { libraryPathOf } from '../../deploy/local/src/debian/library-path.js';
import { unpackDebian } from '../../deploy/local/src/debian/unpack.js';
import { ROOT } from './placard.js';

const execute = promisify(execFile);
const OUTPUT_BYTES_MAX = 16 * 1_024 * 1_024;

/** A program that tests use and that npm does not have. */
export interface WantedTool {
  /** Its names on the PATH. */
  readonly names: readonly string[];
  /** The package of Debian, the program's path in it, and whether the packages that it needs are unpacked too. */
  readonly debian: { readonly name: string; readonly file: string; readonly needsLibraries: boolean };
  /** How to get one. */
  readonly how: string;
}

/** A program that runs here. */
export interface Tool {
  readonly file: string;
  /** Variables that it needs besides those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds a program: on the PATH, unpacked before, or in Debian's package, which is unpacked into `.data/cache` without a change
 * of the system. Rejects with the sentence that says how to get one.
 */
export async function findTool({ names, debian, how }: WantedTool): Promise<Tool> {
  const targetDir = path.join(ROOT, '.data', 'cache', debian.name);
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const file of folders.flatMap((folder) => names.map((name) => path.join(folder, name)))) {
    if (await isRunning({ file, env: {} })) return { file, env: {} };
  }
  const unpacked = (): Tool => ({
    file: path.join(targetDir, debian.file),
    env: { LD_LIBRARY_PATH: libraryPathOf(targetDir) },
  });
  if (await isRunning(unpacked())) return unpacked();
  try {
    await unpackDebian({ packages: [debian.name], withNeeded: debian.needsLibraries, targetDir, run });
  } catch (error) {
    throw new Error(how, { cause: error });
  }
  if (await isRunning(unpacked())) return unpacked();
  throw new Error(`${how} The one of Debian does not run here.`);
}

/** The environment in which a program is run. */
export function environmentOf({ env }: Tool): NodeJS.ProcessEnv {
  return { ...process.env, ...env };
}

async function isRunning(tool: Tool): Promise<boolean> {
  try {
    await execute(tool.file, ['--version'], { env: environmentOf(tool) });
    return true;
  } catch {
    return false;
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' };
  return (await execute(command, args, { cwd, env, maxBuffer: OUTPUT_BYTES_MAX })).stdout;
}
