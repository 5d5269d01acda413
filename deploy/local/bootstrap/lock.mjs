import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 250;

/**
 * Runs work under a lock. Two starts from one checkout must not install or build at the same time: the second waits.
 * @param {string} root the repository
 * @param {(text: string) => void} say
 * @param {() => void} work
 */
export async function withBootstrapLock(root, say, work) {
  const dir = path.join(root, '.data');
  const file = path.join(dir, 'bootstrap.lock');
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  let hasSaid = false;
  while (!tryTake(file)) {
    if (!hasSaid) say('Waiting for another Placard that installs or builds in this folder …');
    hasSaid = true;
    await sleep(WAIT_MS);
  }
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function tryTake(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') return true;
  }
  if (!isHolderAlive(file)) rmSync(file, { force: true });
  return false;
}

/** @param {string} file */
function isHolderAlive(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
