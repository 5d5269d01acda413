import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Say } from '../say.js';
import { messageOf } from '../start-error.js';
import { libraryPathOf } from './redis-binary.js';

/** In Debian and Ubuntu the server is a name for a program of the second package. */
const PACKAGES = ['redis-server', 'redis-tools'];

/** Packages by the library that they bring, in the order in which they are tried; names differ between releases. */
const LIBRARY_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'liblzf.so.1': ['liblzf1'],
  'libjemalloc.so.2': ['libjemalloc2'],
  'libatomic.so.1': ['libatomic1'],
  'libssl.so.3': ['libssl3', 'libssl3t64'],
  'libcrypto.so.3': ['libssl3', 'libssl3t64'],
  'libssl.so.1.1': ['libssl1.1'],
  'libcrypto.so.1.1': ['libssl1.1'],
  'libsystemd.so.0': ['libsystemd0'],
  'libcap.so.2': ['libcap2'],
  'libgcrypt.so.20': ['libgcrypt20'],
  'libgpg-error.so.0': ['libgpg-error0'],
  'liblzma.so.5': ['liblzma5'],
  'libzstd.so.1': ['libzstd1'],
  'liblz4.so.1': ['liblz4-1'],
  'libhiredis.so.0.14': ['libhiredis0.14'],
  'liblua5.1.so.0': ['liblua5.1-0'],
  'liblua5.1-cjson.so.0': ['lua-cjson'],
  'liblua5.1-bitop.so.0': ['lua-bitop'],
};

/** Libraries may need further ones. */
const ROUNDS_MAX = 4;
const COMMAND_MS_MAX = 180_000;

/**
 * Downloads Debian's Redis with what it needs and unpacks it into a folder; nothing of the system is changed and no
 * rights are needed. Answers null when that worked, else why it did not.
 */
export async function unpackDebianRedis(targetDir: string, say: Say): Promise<string | null> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) {
    return 'there is no Debian package manager to get one with';
  }
  say.info('Getting Redis: downloading the Debian package and unpacking it, without installing it …');
  const workDir = `${targetDir}.${process.pid}`;
  try {
    rmSync(workDir, { recursive: true, force: true });
    mkdirSync(workDir, { recursive: true });
    const apt = await openApt(path.join(workDir, 'apt'));
    const treeDir = path.join(workDir, 'tree');
    for (const name of PACKAGES) await unpackPackage(apt, name, workDir, treeDir);
    await unpackLibraries(apt, workDir, treeDir);
    rmSync(targetDir, { recursive: true, force: true });
    renameSync(treeDir, targetDir);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

/** Options of apt-get; with package lists of our own when the system's are empty or too old to download from. */
async function openApt(aptDir: string): Promise<readonly string[]> {
  const base = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'APT::Sandbox::User=root', '-qq'];
  if (await canDownload(base, aptDir)) return base;
  for (const name of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(path.join(aptDir, name), { recursive: true });
  }
  const own = [
    ...base,
    '-o',
    `Dir::State::lists=${path.join(aptDir, 'lists')}`,
    '-o',
    `Dir::Cache=${path.join(aptDir, 'cache')}`,
  ];
  await run('apt-get', [...own, 'update'], aptDir);
  return own;
}

async function canDownload(apt: readonly string[], aptDir: string): Promise<boolean> {
  const probeDir = path.join(aptDir, 'probe');
  mkdirSync(probeDir, { recursive: true });
  try {
    await run('apt-get', [...apt, 'download', ...PACKAGES], probeDir);
    return true;
  } catch {
    return false;
  }
}

async function unpackPackage(
  apt: readonly string[],
  name: string,
  workDir: string,
  treeDir: string,
): Promise<void> {
  const downloadDir = path.join(workDir, 'download', name);
  mkdirSync(downloadDir, { recursive: true });
  await run('apt-get', [...apt, 'download', name], downloadDir);
  for (const file of readdirSync(downloadDir).filter((found) => found.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', path.join(downloadDir, file), treeDir], workDir);
  }
}

async function unpackLibraries(apt: readonly string[], workDir: string, treeDir: string): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const missing = await missingLibraries(treeDir);
    if (missing.length === 0) return;
    for (const library of missing) await unpackLibrary(apt, library, workDir, treeDir);
  }
  const left = await missingLibraries(treeDir);
  if (left.length > 0) throw new Error(`libraries of Redis are missing: ${left.join(', ')}`);
}

async function unpackLibrary(
  apt: readonly string[],
  library: string,
  workDir: string,
  treeDir: string,
): Promise<void> {
  const names = LIBRARY_PACKAGES[library] ?? [];
  for (const name of names) {
    try {
      await unpackPackage(apt, name, workDir, treeDir);
      return;
    } catch {
      // This release has it under another name.
    }
  }
  throw new Error(`the library ${library} of Redis was not found in a package`);
}

async function missingLibraries(treeDir: string): Promise<readonly string[]> {
  const file = path.join(treeDir, 'usr', 'bin', 'redis-server');
  const text = await run('ldd', [file], treeDir, { LD_LIBRARY_PATH: libraryPathOf(treeDir) });
  return missingIn(text);
}

/** The libraries that the output of `ldd` says are not found, each once. */
export function missingIn(text: string): readonly string[] {
  const names = [...text.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
  return [...new Set(names)];
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, LC_ALL: 'C', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_MS_MAX,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(output);
      else reject(new Error(`${command} failed: ${errors.trim().split('\n').slice(-1)[0] ?? ''}`));
    });
  });
}
