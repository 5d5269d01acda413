import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { rootDir } from '../root-dir.js';

/** A process that replaces services. */
export interface Stub {
  readonly port: number;
  readonly pid: number;
  close(): void;
}

const STUB = path.join(rootDir, 'load', 'dist', 'stub', 'main.js');

/** Starts the stub on a free port of this machine. */
export async function openStub(): Promise<Stub> {
  const child = fork(STUB, { execArgv: [] });
  const [message] = (await once(child, 'message')) as [{ readonly port: number }];
  return { port: message.port, pid: child.pid ?? 0, close: () => child.disconnect() };
}
