import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Surroundings } from '../process/managed-process.js';
import { runCommand } from '../process/run-command.js';
import { messageOf } from '../start-error.js';
import { libraryPathOf } from './library-path.js';

/** Packages with the server. In Debian and Ubuntu the server is a link to a program of the second package. */
const PACKAGES = ['redis-server', 'redis-tools'];

/** Packages by library, in the order of attempts. Names differ between releases. */
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

/** Most rounds of look-ups, because libraries may need further ones. */
const ROUNDS_MAX = 4;

/**
 * Downloads Debian's Redis with its libraries and unpacks it into a folder. It does not change the system and needs no
 * privileges. Returns null on success, otherwise the reason of the failure.
 */
export async function unpackDebianRedis(targetDir: string, around: Surroundings): Promise<string | null> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) {
    return 'there is no Debian package manager to get one with';
  }
  around.say.info('Getting Redis: downloading the Debian package and unpacking it, without installing it …');
  const workDir = `${targetDir}.${process.pid}`;
  try {
    rmSync(workDir, { recursive: true, force: true });
    mkdirSync(workDir, { recursive: true });
    const unpacking = new Unpacking(workDir, around);
    await unpacking.openLists();
    for (const name of PACKAGES) await unpacking.add(name);
    await unpacking.addLibraries();
    rmSync(targetDir, { recursive: true, force: true });
    renameSync(unpacking.treeDir, targetDir);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

/** Downloads and unpacks packages into a folder. */
class Unpacking {
  readonly treeDir: string;
  readonly #workDir: string;
  readonly #around: Surroundings;
  /** Options of apt-get. */
  #apt: readonly string[] = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'APT::Sandbox::User=root', '-qq'];

  constructor(workDir: string, around: Surroundings) {
    this.#workDir = workDir;
    this.#around = around;
    this.treeDir = path.join(workDir, 'tree');
    mkdirSync(this.treeDir);
  }

  /** Makes separate package lists when the system's are empty or too old for downloads. */
  async openLists(): Promise<void> {
    if (await this.#succeeds(this.#download(PACKAGES, this.#folder('probe')))) return;
    const lists = this.#folder('lists', 'partial');
    const archives = this.#folder('cache', 'archives', 'partial');
    this.#apt = [
      ...this.#apt,
      ...['-o', `Dir::State::lists=${path.dirname(lists)}`],
      ...['-o', `Dir::Cache=${path.resolve(archives, '..', '..')}`],
    ];
    await this.#run('apt-get', [...this.#apt, 'update']);
  }

  /** Downloads and unpacks one package. */
  async add(name: string): Promise<void> {
    const folder = this.#folder('download', name);
    await this.#download([name], folder);
    for (const file of readdirSync(folder).filter((found) => found.endsWith('.deb'))) {
      await this.#run('dpkg-deb', ['-x', path.join(folder, file), this.treeDir]);
    }
  }

  /** Adds missing libraries, and those that they need. */
  async addLibraries(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const missing = await this.#missing();
      if (missing.length === 0) return;
      for (const library of missing) await this.#addLibrary(library);
    }
    const left = await this.#missing();
    if (left.length > 0) throw new Error(`libraries of Redis are missing: ${left.join(', ')}`);
  }

  async #addLibrary(library: string): Promise<void> {
    // The name of the package differs between releases.
    for (const name of LIBRARY_PACKAGES[library] ?? []) if (await this.#succeeds(this.add(name))) return;
    throw new Error(`the library ${library} of Redis was not found in a package`);
  }

  async #missing(): Promise<readonly string[]> {
    const file = path.join(this.treeDir, 'usr', 'bin', 'redis-server');
    return missingIn(await this.#run('ldd', [file], { LD_LIBRARY_PATH: libraryPathOf(this.treeDir) }));
  }

  async #download(names: readonly string[], folder: string): Promise<void> {
    await this.#run('apt-get', [...this.#apt, 'download', ...names], {}, folder);
  }

  async #succeeds(work: Promise<void>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch {
      return false;
    }
  }

  async #run(
    command: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    cwd: string = this.#workDir,
  ): Promise<string> {
    const { status, output, errors } = await runCommand(this.#around, { command, args, env, cwd });
    if (status === 0) return output;
    throw new Error(`${command} failed: ${errors.split('\n').at(-1) ?? ''}`);
  }

  #folder(...names: readonly string[]): string {
    const folder = path.join(this.#workDir, ...names);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

/** The missing libraries in the output of `ldd`, each once. */
export function missingIn(text: string): readonly string[] {
  const names = [...text.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
  return [...new Set(names)];
}
