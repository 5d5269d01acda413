import { spawn } from 'node:child_process';
import type { SystemUser } from '../stores/postgres-user.js';
import { messageOf } from '../start-error.js';
import type { Surroundings } from './managed-process.js';
import { withoutSecrets } from './secret-settings.js';
import { withoutTls } from '../settings/tls-settings.js';

/** A program that does one thing and ends. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables besides those of this process without its secrets and settings of TLS; default: none. */
  readonly env?: NodeJS.ProcessEnv;
  /** The user of the command; default or null: this process's user. */
  readonly user?: SystemUser | null;
}

/** The result of a command. */
export interface CommandResult {
  /** Null when a signal ended it or it could not be run. */
  readonly status: number | null;
  readonly output: string;
  /** Its standard error, or why it could not be run. */
  readonly errors: string;
}

const COMMAND_MS_MAX = 180_000;
const OUTPUT_CHARS_MAX = 1_000_000;

/**
 * Runs a command to its end, in a group of its own, so that Ctrl-C does not reach it. It is ended when everything is being
 * stopped, and by the watchdog when this process is killed.
 */
export function runCommand(around: Surroundings, command: Command): Promise<CommandResult> {
  const { user = null } = command;
  return new Promise((resolve) => {
    const child = spawn(command.command, command.args, {
      cwd: command.cwd,
      env: { ...withoutTls(withoutSecrets(process.env)), LC_ALL: 'C', ...command.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_MS_MAX,
      signal: around.stopping,
      uid: user?.uid,
      gid: user?.gid,
    });
    const { pid } = child;
    if (pid !== undefined)
      around.list.add({ name: command.command, kind: 'service', pid, stopSignal: 'SIGTERM' });
    let output = '';
    let errors = '';
    child.stdout.on(
      'data',
      (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_CHARS_MAX)),
    );
    child.stderr.on(
      'data',
      (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-OUTPUT_CHARS_MAX)),
    );
    child.once('error', (error) => {
      if (pid === undefined) resolve({ status: null, output, errors: messageOf(error) });
    });
    child.once('close', (status) => {
      if (pid !== undefined) around.list.remove(pid);
      resolve({ status, output, errors: errors.trim() });
    });
  });
}
