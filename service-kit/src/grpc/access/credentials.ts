import {
  ChannelCredentials,
  experimental,
  ServerCredentials,
  type ChannelOptions,
  type VerifyOptions,
} from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { watchMissingTls } from '../../process/missing-tls.js';
import type { TlsFiles } from '../../process/rpc-settings.js';
import type { Scope } from '../../process/scope.js';
import { callerNamedBy } from './callers.js';
import { certificatesOf } from './certificates.js';
import { placesOf } from './places.js';

/** How the servers of a process accept connections at a host. */
export function serverCredentials(scope: Scope, host: string): ServerCredentials {
  const certificates = certificatesOf(scope);
  if (certificates === null) {
    watchMissingTls(scope).listens(host);
    return ServerCredentials.createInsecure();
  }
  // A connection without a valid certificate is accepted, and each of its calls is refused, logged and counted.
  return experimental.createCertificateProviderServerCredentials(certificates, certificates, false);
}

/** How a client connects: its credentials, and the channel options that belong to them. */
export interface Connecting {
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/**
 * How a process connects to a service at an address. With TLS, the certificate of the server must name the service; the host
 * in the address does not count, so addresses may be of any form.
 */
export function clientCredentials(scope: Scope, service: string, address: string): Connecting {
  const certificates = certificatesOf(scope);
  if (certificates === null) {
    const hosts = placesOf(address).map(({ host }) => host);
    watchMissingTls(scope).calls(service, hosts);
    return { credentials: ChannelCredentials.createInsecure(), options: {} };
  }
  return {
    credentials: experimental.createCertificateProviderChannelCredentials(
      certificates,
      certificates,
      verifying(service),
    ),
    options: { 'grpc.ssl_target_name_override': service },
  };
}

/** The same for a short-lived client without a scope, with the files as they are now. Null: without TLS. */
export function credentialsFrom(files: TlsFiles | null, service: string): Connecting {
  if (files === null) return { credentials: ChannelCredentials.createInsecure(), options: {} };
  const [ca, key, cert] = [files.caFile, files.keyFile, files.certFile].map((file) => readFileSync(file));
  return {
    credentials: ChannelCredentials.createSsl(ca, key, cert, verifying(service)),
    options: { 'grpc.ssl_target_name_override': service },
  };
}

/** Accepts a server only if its certificate names the service. */
export function verifying(service: string): VerifyOptions {
  return {
    checkServerIdentity: (_host, { subjectaltname }) =>
      callerNamedBy(subjectaltname) === service
        ? undefined
        : new Error(`The certificate of the server does not name ${service}.`),
  };
}
