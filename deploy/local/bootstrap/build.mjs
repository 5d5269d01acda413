import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from './install.mjs';
import { withBootstrapLock } from './lock.mjs';

const SOURCE = /\.(ts|mts|mjs|sql|lua|json|html|css|svg)$/;

/**
 * Builds when a source changed since the last build. It compares only names, sizes and times, in a few milliseconds. Throws
 * an Error whose message is a sentence.
 * @param {string} root the repository
 * @param {(text: string) => void} say
 */
export async function ensureBuilt(root, say) {
  if (isBuilt(root)) return;
  await withBootstrapLock(root, say, () => {
    if (isBuilt(root)) return;
    say('Building …');
    const fingerprint = fingerprintOf(root);
    npm(root, ['run', '--silent', 'build']);
    recordBuild(root, fingerprint);
  });
}

/**
 * Whether the last build was made from the current sources.
 * @param {string} root
 */
export function isBuilt(root) {
  const outputs = packagesOf(root).map((folder) => path.join(folder, 'dist', '.tsbuildinfo'));
  if (!outputs.every((file) => existsSync(file))) return false;
  try {
    return readFileSync(stampFile(root), 'utf8') === fingerprintOf(root);
  } catch {
    return false;
  }
}

/**
 * Records the sources of a build.
 * @param {string} root
 * @param {string} fingerprint of the sources before the build, so that an edit during it counts as newer
 */
export function recordBuild(root, fingerprint) {
  mkdirSync(path.dirname(stampFile(root)), { recursive: true });
  writeFileSync(stampFile(root), fingerprint);
}

/**
 * The folders of all packages that are built.
 * @param {string} root
 */
export function packagesOf(root) {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return workspaces
    .map((name) => path.join(root, name))
    .filter((folder) => existsSync(path.join(folder, 'tsconfig.build.json')));
}

/**
 * A digest of the name, size and time of every file that a build reads.
 * @param {string} root
 */
export function fingerprintOf(root) {
  const hash = createHash('sha256');
  const single = ['tsconfig.base.json', 'tsconfig.build.json', 'package-lock.json'].map((name) =>
    path.join(root, name),
  );
  const perPackage = packagesOf(root).flatMap((folder) => [
    path.join(folder, 'package.json'),
    path.join(folder, 'tsconfig.build.json'),
    ...filesUnder(path.join(folder, 'src')),
    ...filesUnder(path.join(folder, 'gen')),
  ]);
  for (const file of [...single, ...perPackage]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Every source file under a folder, without tests, in a fixed order; none when the folder does not exist.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return filesUnder(file);
      return SOURCE.test(entry.name) && !entry.name.endsWith('.test.ts') ? [file] : [];
    });
}

/** @param {string} root */
function stampFile(root) {
  return path.join(root, 'deploy', 'local', 'dist', '.build-stamp');
}
