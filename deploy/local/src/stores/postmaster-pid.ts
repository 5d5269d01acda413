import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from '../process/process-identity.js';
import { untilGone } from '../process/process-list.js';
import { StartError } from '../start-error.js';

const STOP_MS_MAX = 20_000;
const QUIT_MS_MAX = 5_000;

/** First line of a `postmaster.pid`: the server's process; null when the text has none. */
export function postmasterPidOf(text: string): number | null {
  const pid = Number(text.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/**
 * After a `kill -9` of whoever started it, a Postgres may still run on the cluster, or its file may name a number that
 * another program has by now. Stops the first, removes the second. Only the holder of the data folder's lock may call
 * this: whatever runs on the cluster then is left over.
 */
export async function endLeftoverPostgres(clusterDir: string): Promise<void> {
  const file = path.join(clusterDir, 'postmaster.pid');
  let pid: number | null;
  try {
    pid = postmasterPidOf(readFileSync(file, 'utf8'));
  } catch {
    return;
  }
  const identity = pid === null ? null : identityOf(pid);
  if (pid === null || identity === null || !isPostgresOf(pid, clusterDir)) {
    rmSync(file, { force: true });
    return;
  }
  const server = [{ pid, identity }];
  process.kill(pid, 'SIGINT');
  await untilGone(server, STOP_MS_MAX);
  if (identityOf(pid) !== identity) return;
  process.kill(pid, 'SIGQUIT');
  await untilGone(server, QUIT_MS_MAX);
  if (identityOf(pid) !== identity) return;
  throw new StartError(
    `A Postgres of an earlier start still runs (process ${pid}) and does not stop. End it and start again.`,
  );
}

/** A server's working folder is its cluster. Where that cannot be asked, the file is believed. */
function isPostgresOf(pid: number, clusterDir: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir);
  } catch {
    return false;
  }
}
