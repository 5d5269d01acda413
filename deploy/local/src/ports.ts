import { OWNER_ONLY, replaceFile } from '@placard/service-kit/files';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { StartError } from './start-error.js';

/** Lowest port. The range is below that of outgoing connections, so that none of them uses a chosen port. */
const PORT_MIN = 15_000;
const PORT_MAX = 30_000;
const TRIES_MAX = 200;

const LOOPBACK = '127.0.0.1';

/** Whether nothing listens on the port of that address. */
export async function isPortFree(port: number, host: string = LOOPBACK): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Throws a {@link StartError} with the remedy when the gateway cannot listen on its port. */
export async function requireGatewayPort(port: number, host: string): Promise<void> {
  let isFree: boolean;
  try {
    isFree = await isPortFree(port, host);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new StartError(
      code === 'EACCES'
        ? `Cannot listen on port ${port} of ${host} (${code}). Choose another port: npm start -- --port N`
        : `HOST is ${host}, where this machine cannot listen (${code}). ` +
            'Set it to an address of this machine, such as 127.0.0.1, or leave it out.',
    );
  }
  if (isFree) return;
  throw new StartError(
    `Port ${port} is in use by another program. Stop it, or choose another port: npm start -- --port ${port + 1}`,
  );
}

/**
 * Chooses a port for every name: that of the last start if it is free, so that addresses stay the same, else a free one.
 * The choice is stored in the file, which only its owner can read.
 */
export async function choosePorts<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Readonly<Record<Name, number>>> {
  const remembered = readRemembered(file);
  const taken = new Set<number>();
  const ports: Record<string, number> = {};
  for (const name of names) {
    const port = await choosePort(remembered[name], taken);
    taken.add(port);
    ports[name] = port;
  }
  replaceFile(file, `${JSON.stringify(ports, null, 2)}\n`, OWNER_ONLY);
  return ports as Record<Name, number>;
}

async function choosePort(remembered: unknown, taken: ReadonlySet<number>): Promise<number> {
  if (typeof remembered === 'number' && !taken.has(remembered) && (await isPortFree(remembered)))
    return remembered;
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if (!taken.has(port) && (await isPortFree(port))) return port;
  }
  throw new StartError(`No free port was found between ${PORT_MIN} and ${PORT_MAX} on ${LOOPBACK}.`);
}

function readRemembered(file: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
