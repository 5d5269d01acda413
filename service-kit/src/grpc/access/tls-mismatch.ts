import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import type { TlsFiles } from '../../process/rpc-settings.js';
import { verifying } from './credentials.js';
import { placesOf } from './places.js';

/** Longest time of the look at a server, in milliseconds. */
const LOOK_MS_MAX = 2_000;
/** How OpenSSL calls an answer that is no TLS. */
const NO_TLS_CODES: ReadonlySet<string> = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);

/** Why a client and a server whose connection failed do not fit together. */
export type TlsMismatch =
  | { readonly kind: 'server_has_tls' | 'server_has_no_tls' }
  /** The client does not accept the certificate of the server; `reason` is that of OpenSSL, or names the service. */
  | { readonly kind: 'server_refused'; readonly reason: string };

/**
 * Looks at the first server of an address to which a client could not connect. `files`: those of the client; null: it
 * connects without TLS. Null: nothing answers there, or TLS is not the reason.
 */
export function tlsMismatch(
  files: TlsFiles | null,
  service: string,
  address: string,
): Promise<TlsMismatch | null> {
  const [place] = placesOf(address);
  return new Promise((resolve) => {
    const socket = connect({
      ...(files === null ? {} : { ca: readFileSync(files.caFile) }),
      ...verifying(service),
      ...place,
      servername: service,
      ALPNProtocols: ['h2', 'http/1.1'],
      // The look ends with the handshake: nothing is sent to a server that is not trusted.
      rejectUnauthorized: false,
      timeout: LOOK_MS_MAX,
    });
    const end = (mismatch: TlsMismatch | null): void => {
      socket.destroy();
      resolve(mismatch);
    };
    socket.once('secureConnect', () => end(ofHandshake(files, socket)));
    socket.once('timeout', () => end(null));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      end(files !== null && NO_TLS_CODES.has(code) ? { kind: 'server_has_no_tls' } : null);
    });
  });
}

function ofHandshake(files: TlsFiles | null, socket: TLSSocket): TlsMismatch | null {
  if (files === null) return { kind: 'server_has_tls' };
  return socket.authorized ? null : { kind: 'server_refused', reason: String(socket.authorizationError) };
}
