import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Runs a command in a folder and resolves with its output. Rejects with the reason when it fails. */
export type RunCommand = (command: string, args: readonly string[], folder: string) => Promise<string>;

/** What to unpack, and where. */
export interface Unpacking {
  readonly packages: readonly string[];
  /** False: these packages alone. True: also those that they need and the system lacks. */
  readonly withNeeded: boolean;
  /** Replaced when everything is unpacked. */
  readonly targetDir: string;
  readonly run: RunCommand;
}

/** Whether this system has the package manager of Debian. */
export function hasDebian(): boolean {
  return (
    process.platform === 'linux' && ['apt-get', 'dpkg-deb'].every((name) => existsSync(`/usr/bin/${name}`))
  );
}

/**
 * Downloads packages of Debian and unpacks them into a folder. It does not change the system and needs no privileges. Rejects
 * with the reason, also where there is no Debian.
 */
export async function unpackDebian({ packages, withNeeded, targetDir, run }: Unpacking): Promise<void> {
  if (!hasDebian()) throw new Error('there is no Debian package manager to get one with');
  const workDir = `${targetDir}.${process.pid}`;
  const [treeDir, debsDir] = [path.join(workDir, 'tree'), path.join(workDir, 'debs')];
  const download = async (options: readonly string[]): Promise<void> => {
    const simulated = withNeeded
      ? await run('apt-get', [...options, '-s', '--no-install-recommends', 'install', ...packages], workDir)
      : '';
    const names = new Set([...packages, ...installedIn(simulated)]);
    await run('apt-get', [...options, 'download', ...names], debsDir);
  };
  try {
    rmSync(workDir, { recursive: true, force: true });
    for (const folder of [treeDir, debsDir]) mkdirSync(folder, { recursive: true });
    // The lists of the system may be empty, or too old for a download.
    await download(APT).catch(async () => download(await ownLists(workDir, run)));
    for (const file of readdirSync(debsDir)) {
      await run('dpkg-deb', ['-x', path.join(debsDir, file), treeDir], workDir);
    }
    rmSync(targetDir, { recursive: true, force: true });
    renameSync(treeDir, targetDir);
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

const APT = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'APT::Sandbox::User=root'];

/** Makes package lists apart from the system's, and returns the options of `apt-get` that use them. */
async function ownLists(workDir: string, run: RunCommand): Promise<readonly string[]> {
  const [lists, cache] = [path.join(workDir, 'lists'), path.join(workDir, 'cache')];
  mkdirSync(path.join(lists, 'partial'), { recursive: true });
  mkdirSync(path.join(cache, 'archives', 'partial'), { recursive: true });
  const options = [...APT, '-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`];
  await run('apt-get', [...options, 'update'], workDir);
  return options;
}

/**
 * The packages that a simulated installation adds, in the output of `apt-get -s install`. Those that it would only replace by
 * newer ones are left out: the system has them.
 */
export function installedIn(text: string): readonly string[] {
  return [...text.matchAll(/^Inst (\S+) \(/gm)].map((match) => match[1] ?? '');
}
