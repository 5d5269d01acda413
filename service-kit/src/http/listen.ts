import type { AddressInfo, Server } from 'node:net';
import { ConfigError } from '../process/config.js';

/** Error codes for a host that is not an address of this machine, or not an address at all. */
const HOST_FAULTS: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL']);

/**
 * Listens and answers the port; port 0 lets the system choose. Throws a ConfigError when the host is not an address of
 * this machine.
 */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(asFault(error, host)));
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function asFault(error: NodeJS.ErrnoException, host: string): Error {
  if (!HOST_FAULTS.has(error.code)) return error;
  return new ConfigError([`HOST (or METRICS_HOST): ${host} is no address of this machine (${error.code})`]);
}
