import { OWNER_ONLY } from '@placard/service-kit/files';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf, StartError } from '../start-error.js';
import { identityOf } from './process-identity.js';

const ATTEMPTS_MAX = 10;

interface Holder {
  readonly pid: number;
  readonly identity: string;
}

/**
 * Makes this process the only one that runs on a data folder; returns a function that releases the lock. Takes over a lock
 * whose holder was killed. Throws a {@link StartError} when another instance runs.
 */
export function takeInstanceLock(file: string, dataDir: string): () => void {
  const mine: Holder = { pid: process.pid, identity: identityOf(process.pid) ?? 'unknown' };
  const text = JSON.stringify(mine);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (tryCreate(file, text)) return () => rmSync(file, { force: true });
    const found = read(file);
    if (found === null) continue;
    const holder = parseHolder(found);
    if (holder !== null && identityOf(holder.pid) === holder.identity) throw alreadyRuns(holder.pid, dataDir);
    removeStale(file, found);
  }
  throw new StartError(`The lock ${file} could not be taken. Remove it and start again.`);
}

function alreadyRuns(pid: number, dataDir: string): StartError {
  return new StartError(
    `Placard already runs on the data folder ${dataDir} (process ${pid}). ` +
      'Stop it first, or start this one with another folder and port: npm start -- --data DIR --port N',
  );
}

function tryCreate(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: OWNER_ONLY });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    rmSync(file, { force: true });
    throw error;
  }
}

/** Moves the stale lock away. Puts it back when another start was faster and the lock is its own by now. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== stale) linkSync(aside, file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, identity } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && typeof identity === 'string' ? { pid, identity } : null;
  } catch {
    return null;
  }
}
