import type { TlsMismatch } from '@placard/service-kit/grpc';

const FILES = 'TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE';

/** What is wrong between the command and an instance that do not fit together, and what to set. */
export function tlsFaultText(address: string, mismatch: TlsMismatch): string {
  switch (mismatch.kind) {
    case 'server_has_tls':
      return `the instance at ${address} uses TLS, and the command does not. Set ${FILES} to the files of an operator's certificate.`;
    case 'server_has_no_tls':
      return `the instance at ${address} does not use TLS, and the command does. Unset ${FILES}.`;
    case 'server_refused':
      return `the certificate of the instance at ${address} is refused (${mismatch.reason}). Set TLS_CA_FILE to the authority that issued it, and PLACARD_ADDRESS to console-service.`;
  }
}
