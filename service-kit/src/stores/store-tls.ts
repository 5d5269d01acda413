import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { messageOf } from '../process/errors.js';
import type { StoreAddress } from './store-address.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads a PEM file with one or more certificates. Throws a sentence about the file when it has none. */
export function readAuthorities(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    const certificates = text.match(CERTIFICATE) ?? [];
    if (certificates.length === 0) throw new Error('it has no certificate');
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (error) {
    throw new Error(`${file} is no PEM file with certificates of authorities: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return text;
}

/**
 * Options of TLS for the connections to a store. The server must prove its name with a certificate of the authorities.
 * Their file is read again for each new connection. A file that cannot be read then changes nothing.
 */
export function tlsOf({ caFile, serverName, onStaleAuthorities }: StoreAddress): ConnectionOptions {
  const options: ConnectionOptions = {
    // Not left to NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(serverName === undefined
      ? {}
      : {
          servername: serverName,
          // The driver of Postgres replaces `servername` by the host.
          checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
        }),
  };
  if (caFile === undefined) return options;
  // Both drivers copy the options for each connection, and so read this property.
  const get = rereader(caFile, onStaleAuthorities);
  return Object.defineProperty(options, 'ca', { enumerable: true, get });
}

function rereader(file: string, onStale: (reason: string) => void = () => undefined): () => string {
  let authorities = readAuthorities(file);
  let lastReason = '';
  return () => {
    try {
      authorities = readAuthorities(file);
      lastReason = '';
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== lastReason) onStale(reason);
      lastReason = reason;
    }
    return authorities;
  };
}
