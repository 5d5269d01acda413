import { spawn, type ChildProcess } from 'node:child_process';
import type { ProcessList } from './process-list.js';
import { withoutSecrets } from './secret-settings.js';

const RESTART_MS = 1_000;

/** The process that stops the stores when this process was killed. */
export interface Watchdog {
  /** Releases the watchdog. It ends by itself, since no process is listed any more. */
  close(): Promise<void>;
}

/** Starts the watchdog for the file of a list, and again whenever it ends. */
export function openWatchdog(list: ProcessList, listFile: string, args: readonly string[]): Watchdog {
  let isClosing = false;
  let child: ChildProcess;
  let exited: Promise<void>;
  const start = (): void => {
    child = spawn(process.execPath, [...args, listFile], {
      env: withoutSecrets(process.env),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const { pid } = child;
    if (pid !== undefined) list.add({ name: 'watchdog', kind: 'watchdog', pid, stopSignal: 'SIGKILL' });
    child.stdin?.on('error', () => undefined);
    exited = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => {
        if (pid !== undefined) list.remove(pid);
        if (!isClosing) setTimeout(start, RESTART_MS).unref();
        resolve();
      });
    });
  };
  start();
  return {
    async close() {
      isClosing = true;
      child.stdin?.end();
      await exited;
    },
  };
}
