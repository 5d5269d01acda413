import { CALLERS } from '@placard/service-kit/grpc';
import { makeTestAuthority } from '@placard/service-kit/testing/certificates';
import path from 'node:path';

const DAY_MS = 86_400_000;

/** The certificates of a product, and of others of the same authority. */
export interface Certificates {
  /** Issues the certificates of all processes and of the operator. Replaces those that are there. */
  issueAll(validDays: number): Promise<void>;
  /** Issues a certificate of a day for a name, such as one that is no service. */
  issue(name: string): Promise<void>;
  /** The settings with which a process or command uses the certificate of this name. */
  settingsOf(name: string): Readonly<Record<string, string>>;
}

/** Makes an authority that issues into a folder, one folder in it for each name. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const authority = await makeTestAuthority();
  const issue = async (name: string, validDays: number): Promise<void> => {
    const notAfter = Date.now() + validDays * DAY_MS;
    await authority.issueTo(path.join(folder, name), { names: [name], notAfter });
  };
  return {
    async issueAll(validDays) {
      await Promise.all(CALLERS.map((name) => issue(name, validDays)));
    },
    issue: (name) => issue(name, 1),
    settingsOf: (name) => ({
      TLS_CERT_FILE: path.join(folder, name, 'tls.crt'),
      TLS_KEY_FILE: path.join(folder, name, 'tls.key'),
      TLS_CA_FILE: path.join(folder, name, 'ca.crt'),
    }),
  };
}
