import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that answers for services that are not there. */
export interface Stub {
  readonly port: number;
  readonly pid: number;
  close(): void;
}

const STUB = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url),
);

/** Starts it on a free port of this machine. */
export async function openStub(): Promise<Stub> {
  const child = fork(STUB);
  const [message] = (await once(child, 'message')) as [{ readonly port: number }];
  return { port: message.port, pid: child.pid ?? 0, close: () => child.disconnect() };
}
