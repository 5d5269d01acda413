// The library below needs it, and must be imported later.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { webcrypto } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';

const KEY_TYPE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** Whom a certificate names, and when it is valid. */
export interface CertificateOptions {
  /** DNS names, IP addresses, and URIs such as `spiffe://placard/serving-service`. */
  readonly names: readonly string[];
  /** Epoch milliseconds; default a day ago. */
  readonly notBefore?: number;
  /** Epoch milliseconds; default tomorrow. */
  readonly notAfter?: number;
}

/** A certificate and its key. */
export interface KeyPair {
  /** PEM. */
  readonly cert: string;
  /** PEM of PKCS #8. */
  readonly key: string;
}

/** The paths of the files of one process. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** Issues the certificates of a test. */
export interface TestAuthority {
  /** Its own certificate, in PEM. */
  readonly ca: string;
  /** Issues a certificate that its holder may use as a server and as a client. */
  issue(options: CertificateOptions): Promise<KeyPair>;
  /** Issues such a certificate into `<folder>/tls.crt`, `tls.key` and `ca.crt`, and makes the folder. */
  issueTo(folder: string, options: CertificateOptions): Promise<CertificateFiles>;
}

/** Makes an authority that nothing trusts but those who are given its certificate. */
export async function makeTestAuthority(name = 'authority of a test'): Promise<TestAuthority> {
  const keys = await crypto.subtle.generateKey(KEY_TYPE, true, ['sign', 'verify']);
  const subject = `CN=${name}`;
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: subject,
    keys,
    signingAlgorithm: KEY_TYPE,
    ...validity({}),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const ca = pemOf(own);
  const issue = (options: CertificateOptions): Promise<KeyPair> =>
    issueBy({ subject, signingKey: keys.privateKey, own }, options);
  return {
    ca,
    issue,
    async issueTo(folder, options) {
      const { cert, key } = await issue(options);
      mkdirSync(folder, { recursive: true });
      const file = (base: string): string => path.join(folder, base);
      const files = { certFile: file('tls.crt'), keyFile: file('tls.key'), caFile: file('ca.crt') };
      writeFileSync(files.certFile, cert);
      writeFileSync(files.keyFile, key, { mode: 0o600 });
      writeFileSync(files.caFile, ca);
      return files;
    },
  };
}

interface Issuer {
  readonly subject: string;
  readonly signingKey: webcrypto.CryptoKey;
  readonly own: x509.X509Certificate;
}

async function issueBy({ subject, signingKey, own }: Issuer, options: CertificateOptions): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey(KEY_TYPE, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=leaf',
    issuer: subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: KEY_TYPE,
    ...validity(options),
    extensions: [
      new x509.SubjectAlternativeNameExtension(options.names.map(generalName)),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage.serverAuth,
        x509.ExtendedKeyUsage.clientAuth,
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(own),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    cert: pemOf(certificate),
    key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

function validity({ notBefore, notAfter }: Partial<CertificateOptions>) {
  return {
    notBefore: new Date(notBefore ?? Date.now() - DAY_MS),
    notAfter: new Date(notAfter ?? Date.now() + DAY_MS),
  };
}

function generalName(value: string): x509.JsonGeneralName {
  if (value.includes('://')) return { type: 'url', value };
  return { type: isIP(value) === 0 ? 'dns' : 'ip', value };
}

/** With a line end, so that several can stand in one file. */
function pemOf(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
