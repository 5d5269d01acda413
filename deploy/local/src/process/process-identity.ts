import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Position of the start time among the fields that follow the command's name in `/proc/<pid>/stat`. */
const START_TIME_FIELD = 19;

/**
 * The start time of a process. It distinguishes the process from a later one with the same id. Null when the process does not
 * exist, or has ended and its parent has not read its status.
 */
export function identityOf(pid: number): string | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = fields[0] === 'Z' || fields[0] === 'X';
  return isDead ? null : (fields[START_TIME_FIELD] ?? null);
}

function fromPs(pid: number): string | null {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  if (status !== 0) return null;
  const [state = '', ...started] = stdout.trim().split(/\s+/);
  return state.startsWith('Z') ? null : started.join(' ');
}
