import { expect } from 'chai';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeTestAuthority } from './certificates.js';

describe('certificates for tests', () => {
  it('are signed by their authority, fit their key, and name whom they should', async () => {
    const authority = await makeTestAuthority();
    const names = ['serving-service', '127.0.0.1', 'spiffe://placard/serving-service'];
    const { cert, key } = await authority.issue({ names });

    const read = new X509Certificate(cert);
    expect(read.verify(new X509Certificate(authority.ca).publicKey)).to.equal(true);
    expect(read.checkPrivateKey(createPrivateKey(key))).to.equal(true);
    expect(read.subjectAltName).to.equal(
      'DNS:serving-service, IP Address:127.0.0.1, URI:spiffe://placard/serving-service',
    );
  });

  it('end when the test says so', async () => {
    const notAfter = Date.parse('2020-01-02T00:00:00Z');
    const notBefore = Date.parse('2020-01-01T00:00:00Z');
    const { cert } = await (await makeTestAuthority()).issue({ names: ['localhost'], notBefore, notAfter });
    expect(Date.parse(new X509Certificate(cert).validTo)).to.equal(notAfter);
  });

  it('are written as the three files that a process reads', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'placard-certificates-'));
    try {
      const authority = await makeTestAuthority();
      const files = await authority.issueTo(path.join(folder, 'postgres'), { names: ['localhost'] });
      const cert = new X509Certificate(readFileSync(files.certFile));
      expect(cert.checkPrivateKey(createPrivateKey(readFileSync(files.keyFile)))).to.equal(true);
      expect(readFileSync(files.caFile, 'utf8')).to.equal(authority.ca);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
