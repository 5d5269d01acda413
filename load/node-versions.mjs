// `--node VERSION`: runs all measured processes on another Node.js.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npm } from '../deploy/local/bootstrap/install.mjs';
import { isSupportedNode, SUPPORTED_NODE } from '../deploy/local/bootstrap/node-version.mjs';

const VERSION = /^\d+(\.\d+){0,2}$/;

/**
 * The value of `--node`; null when it is not given.
 * @param {readonly string[]} args
 */
export function wantedVersion(args) {
  const inline = args.find((argument) => argument.startsWith('--node='));
  if (inline !== undefined) return inline.slice('--node='.length);
  const at = args.indexOf('--node');
  return at < 0 ? null : (args[at + 1] ?? '');
}

/**
 * The binary of that version: the pinned one or this one if it fits, else npm's package of it in a temporary folder.
 * @param {string} wanted such as `24` or `22.13.0`
 * @param {string} pinned the Node.js that the repository pins
 * @param {(text: string) => void} say
 */
export async function nodeOf(wanted, pinned, say) {
  if (!VERSION.test(wanted)) fail(`--node ${wanted}: write a version such as 20, 24 or 22.13.0.`);
  for (const file of [pinned, process.execPath]) {
    if (fits(versionOf(file), wanted)) return file;
  }
  if (process.platform !== 'linux') {
    fail(`--node ${wanted}: run the command with that Node.js and PLACARD_NODE=installed.`);
  }
  const name = `node-linux-${process.arch}`;
  const folder = path.join(tmpdir(), `placard-node-${wanted}`);
  const file = path.join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    say(`Fetching Node.js ${wanted} into ${folder} …`);
    fetchInto(folder, `${name}@${wanted}`, wanted);
  }
  const version = versionOf(file);
  if (!fits(version, wanted)) fail(`--node ${wanted}: ${file} does not run here.`);
  if (!isSupportedNode(version)) fail(`--node ${wanted}: Placard needs ${SUPPORTED_NODE}.`);
  say(`Node.js ${version} runs the processes (${folder}).`);
  return file;
}

/**
 * @param {string} folder
 * @param {string} name the package with its version
 * @param {string} wanted
 */
function fetchInto(folder, name, wanted) {
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    npm(folder, ['install', ...options, name]);
  } catch {
    fail(`--node ${wanted}: it could not be fetched; npm's output above has the reason.`);
  }
}

/** @param {string} file */
function versionOf(file) {
  return spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1) ?? '';
}

/**
 * @param {string} version
 * @param {string} wanted
 */
function fits(version, wanted) {
  return version === wanted || version.startsWith(`${wanted}.`);
}

/** @param {string} text */
function fail(text) {
  console.error(text);
  process.exit(2);
}
