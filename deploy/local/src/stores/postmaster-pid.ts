import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from '../process/process-identity.js';
import { untilGone } from '../process/process-list.js';
import { StartError } from '../start-error.js';

const STOP_MS_MAX = 20_000;
const QUIT_MS_MAX = 5_000;

/** The server's process id in the first line of a `postmaster.pid`; null when the text has none. */
export function postmasterPidOf(text: string): number | null {
  const pid = Number(text.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/**
 * Ends leftovers on a cluster. After a `kill -9` of the starter, a Postgres may still run, which is stopped, or its file may
 * name the id of another program, and is removed. Only the holder of the data folder's lock may call this, since every
 * process on the cluster then is a leftover.
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

/** Whether a process is the cluster's server, by its working folder. If that cannot be read, the file is trusted. */
function isPostgresOf(pid: number, clusterDir: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir);
  } catch {
    return false;
  }
}
