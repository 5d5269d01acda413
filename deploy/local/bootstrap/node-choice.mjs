import { spawnSync } from 'node:child_process';
import path from 'node:path';

/**
 * The Node.js that runs the processes: the pinned one (an optional package, for Linux), else the installed one.
 * `PLACARD_NODE` chooses another: `installed` or the path of a binary.
 * @param {string} root the repository
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function chooseNode(root, env) {
  const wanted = env.PLACARD_NODE ?? '';
  const installed = { file: process.execPath, version: process.versions.node, origin: 'installed' };
  if (wanted === 'installed') return installed;
  if (wanted !== '') {
    const version = versionOf(wanted);
    if (version === null) {
      throw new Error(
        `PLACARD_NODE: ${wanted} is no Node.js that runs here. Name the path of one, or installed for the one on the PATH, or leave it out.`,
      );
    }
    return { file: wanted, version, origin: 'PLACARD_NODE' };
  }
  const name = `node-linux-${process.arch}`;
  const pinned = path.join(root, 'node_modules', name, 'bin', 'node');
  const version = process.platform === 'linux' ? versionOf(pinned) : null;
  return version === null ? installed : { file: pinned, version, origin: `node_modules/${name}` };
}

/** @param {string} file */
function versionOf(file) {
  const done = spawnSync(file, ['--version'], { encoding: 'utf8' });
  const match = done.status === 0 ? /^v(\d+\.\d+\.\d+)/.exec(done.stdout) : null;
  return match === null ? null : match[1];
}
