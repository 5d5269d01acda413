import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../driver/free-port.js';
import { becomes } from '../driver/phone.js';
import type { Target } from './scrape.js';

const START_MS_MAX = 20_000;
const SESSION_SERVICE = fileURLToPath(new URL('../../session-service/dist/main.js', import.meta.url));
const OWN_KEY = Buffer.alloc(32, 7).toString('base64url');

/** A second replica of session-service, with a token key of its own. */
export interface SecondSessionService {
  readonly target: Target;
  kill(): void;
}

/** Starts the replica, and waits until it shows its metrics. `consoleAddress`: of console-service's gRPC. */
export async function startSecondSessionService(consoleAddress: string): Promise<SecondSessionService> {
  const port = await freePort();
  const child = spawn(process.execPath, [SESSION_SERVICE], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      GRPC_PORT: String(await freePort()),
      METRICS_PORT: String(port),
      SESSION_TOKEN_KEYS: `other:${OWN_KEY}`,
      CONSOLE_SERVICE_ADDRESS: consoleAddress,
    },
  });
  const kill = (): void => void child.kill('SIGKILL');
  if (!(await becomes(START_MS_MAX, () => isAnswering(port)))) {
    kill();
    throw new Error('the second session-service shows no metrics');
  }
  return { target: { job: 'session-service', instance: 'session-service-2', port }, kill };
}

function isAnswering(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/metrics`).then(
    ({ ok }) => ok,
    () => false,
  );
}
