import type { experimental } from '@grpc/grpc-js';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Gauge } from 'prom-client';
import { keepRunning } from '../../background/keep-running.js';
import { ConfigError } from '../../process/config.js';
import { messageOf } from '../../process/errors.js';
import type { TlsFiles } from '../../process/rpc-settings.js';
import type { Scope } from '../../process/scope.js';
import { SECOND_MS } from '../../pure/time.js';

/** Between two reads of the files, in milliseconds. */
const READ_MS = SECOND_MS;

/** The content of the files: PEM. */
interface Content {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  readonly caCertificate: Buffer;
}

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/**
 * The certificate of a process, its key and the authorities that it trusts, for its servers and clients. A new connection
 * uses the files as they were last read and found whole; open connections keep theirs.
 */
export class Certificates implements experimental.CertificateProvider {
  readonly #files: TlsFiles;
  readonly #caListeners = new Set<CaListener>();
  readonly #identityListeners = new Set<IdentityListener>();
  #content: Content;
  #expiresAt: number;

  /** Reads the files. `now`: epoch milliseconds. Throws when they are of no use, see {@link Certificates.renew}. */
  constructor(files: TlsFiles, now: number) {
    this.#files = files;
    this.#content = read(files);
    this.#expiresAt = requireUsable(this.#content, now);
  }

  /** End of the certificate's validity, in epoch milliseconds. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /**
   * Reads the files again; true when they changed. Throws when they are of no use: a file is missing or not PEM, the key does
   * not belong to the certificate, or the certificate has expired. The old content then stays in use.
   */
  renew(now: number): boolean {
    const content = read(this.#files);
    if (isSame(content, this.#content)) return false;
    this.#expiresAt = requireUsable(content, now);
    this.#content = content;
    for (const listener of this.#caListeners) listener(content);
    for (const listener of this.#identityListeners) listener(content);
    return true;
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#caListeners.add(listener);
    // grpc-js is ready for the first content only after this call.
    process.nextTick(() => listener(this.#content));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#caListeners.delete(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener);
    process.nextTick(() => listener(this.#content));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener);
  }
}

/**
 * The certificates of a process, read again within a second of each change. Files that are of no use, as in the middle of
 * their replacement, change nothing and are logged once. Null: the process runs without TLS. Throws a `ConfigError` when the
 * files are of no use at the start.
 */
export function certificatesOf(scope: Scope): Certificates | null {
  return scope.once(openCertificates);
}

function openCertificates(scope: Scope): Certificates | null {
  const files = scope.rpc.tls;
  const certificates = files === null ? null : readAtStart(files, scope.clock.now());
  showExpiry(scope, certificates);
  if (certificates === null) return null;
  keepRunning(scope, {
    name: 'reading certificates',
    intervalMs: READ_MS,
    run() {
      if (certificates.renew(scope.clock.now())) scope.log.info('certificates were read again');
    },
  });
  return certificates;
}

function readAtStart(files: TlsFiles, now: number): Certificates {
  try {
    return new Certificates(files, now);
  } catch (error) {
    throw new ConfigError([`TLS_CERT_FILE, TLS_KEY_FILE, TLS_CA_FILE: ${messageOf(error)}`]);
  }
}

function showExpiry(scope: Scope, certificates: Certificates | null): void {
  const gauge: Gauge = new Gauge({
    name: 'placard_tls_certificate_expires_seconds',
    help: 'Seconds until the certificate of this process expires; NaN without TLS',
    registers: [scope.metrics],
    collect: () => gauge.set(((certificates?.expiresAt ?? NaN) - scope.clock.now()) / SECOND_MS),
  });
}

function read({ certFile, keyFile, caFile }: TlsFiles): Content {
  return {
    certificate: readFileSync(certFile),
    privateKey: readFileSync(keyFile),
    caCertificate: readFileSync(caFile),
  };
}

function isSame(one: Content, other: Content): boolean {
  return (
    one.certificate.equals(other.certificate) &&
    one.privateKey.equals(other.privateKey) &&
    one.caCertificate.equals(other.caCertificate)
  );
}

/** Answers when the certificate expires, in epoch milliseconds. */
function requireUsable({ certificate, privateKey, caCertificate }: Content, now: number): number {
  const own = parsed('the certificate is not PEM', () => new X509Certificate(certificate));
  const key = parsed('the key is not PEM', () => createPrivateKey(privateKey));
  parsed('the authorities are not PEM', () => new X509Certificate(caCertificate));
  if (!own.checkPrivateKey(key)) throw new Error('the key does not belong to the certificate');
  // The whole chain and all authorities, as connections will use them.
  createSecureContext({ cert: certificate, key: privateKey, ca: caCertificate });
  const expiresAt = Date.parse(own.validTo);
  if (expiresAt <= now) throw new Error(`the certificate expired at ${new Date(expiresAt).toISOString()}`);
  return expiresAt;
}

function parsed<T>(fault: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(fault, { cause: error });
  }
}
