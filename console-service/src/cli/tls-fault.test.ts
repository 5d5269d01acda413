import { PLAIN_RPC } from '@placard/service-kit';
import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { makeTestAuthority, type CertificateFiles } from '@placard/service-kit/testing/certificates';
import { expect } from 'chai';
import express from 'express';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../test/support/run-command.js';
import { openHttpServer } from '../routes/http-server.js';

describe('a command that cannot connect because of TLS', () => {
  let folder: string;
  let operator: CertificateFiles;
  let stranger: CertificateFiles;
  const scopes: TestScope[] = [];
  const addresses = { tls: '', plain: '', gateway: '' };

  const listen = async (tls: CertificateFiles | null): Promise<string> => {
    const scope = makeTestScope({ rpc: { ...PLAIN_RPC, tls } });
    scopes.push(scope);
    const { port } = await openHttpServer(scope, express(), { host: '127.0.0.1', port: 0, hasTls: true });
    return `127.0.0.1:${port}`;
  };

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-cli-tls-'));
    const [ours, theirs] = [await makeTestAuthority(), await makeTestAuthority('another authority')];
    const [server, gateway] = await Promise.all(
      ['console-service', 'gateway'].map((name) => ours.issueTo(path.join(folder, name), { names: [name] })),
    );
    operator = await ours.issueTo(path.join(folder, 'operator'), { names: ['operator'] });
    stranger = await theirs.issueTo(path.join(folder, 'stranger'), { names: ['operator'] });
    addresses.tls = await listen(server!);
    addresses.gateway = await listen(gateway!);
    addresses.plain = await listen(null);
  });
  after(async () => {
    for (const scope of scopes) await scope.close();
    rmSync(folder, { recursive: true });
  });

  const faultOf = async (address: string, files: CertificateFiles | null): Promise<string> => {
    const tls =
      files === null
        ? {}
        : { TLS_CERT_FILE: files.certFile, TLS_KEY_FILE: files.keyFile, TLS_CA_FILE: files.caFile };
    const env = { PLACARD_ADDRESS: address, PLACARD_KEY: 'plk_x', ...tls };
    const { status, err } = await runCommand(['ledger', 'balances'], env);
    expect(status).to.equal(1);
    expect(err.match(/\n/g)).to.have.length(1);
    return err;
  };

  it('says that the instance uses TLS when it has no certificate', async () => {
    expect(await faultOf(addresses.tls, null)).to.equal(
      `placard: the instance at ${addresses.tls} uses TLS, and the command does not. ` +
        "Set TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE to the files of an operator's certificate.\n",
    );
  });

  it('says that the instance does not use TLS when it has a certificate', async () => {
    expect(await faultOf(addresses.plain, operator)).to.equal(
      `placard: the instance at ${addresses.plain} does not use TLS, and the command does. ` +
        'Unset TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE.\n',
    );
  });

  it('says why it refuses the certificate of the instance', async () => {
    expect(await faultOf(addresses.tls, stranger)).to.match(
      /is refused \([A-Z_]+\)\. Set TLS_CA_FILE to the authority that issued it/,
    );
    expect(await faultOf(addresses.gateway, operator)).to.contain(
      'is refused (The certificate of the server does not name console-service.)',
    );
  });

  it('does not blame TLS when nothing answers, nothing is said, or both sides fit', async () => {
    const silent = await openSilent();
    const { port } = silent.address() as AddressInfo;
    for (const files of [operator, null]) {
      expect(await faultOf('127.0.0.1:1', files)).to.contain('cannot be reached');
      expect(await faultOf(`127.0.0.1:${port}`, files)).to.contain('cannot be reached');
    }
    silent.close();
    expect(await faultOf(addresses.plain, null)).to.contain('cannot be reached through this address');
  });
});

/** A server that ends each connection at once. */
function openSilent(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
