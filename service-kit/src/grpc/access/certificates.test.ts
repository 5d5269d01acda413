import { Server, ServerCredentials } from '@grpc/grpc-js';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import type { AppError } from '../../process/errors.js';
import type { TlsFiles } from '../../process/rpc-settings.js';
import { makeTestAuthority, type KeyPair, type TestAuthority } from '../../testing/certificates.js';
import {
  makeTestClock,
  makeTestLog,
  makeTestScope,
  makeTestTimers,
  settle,
  type TestScope,
} from '../../testing/index.js';
import { openGrpcClient } from '../client.js';
import { implementService, type RpcClient } from '../definitions.js';
import { openGrpcServer } from '../server.js';

const REQUEST = { appKey: 'app_x', packageName: 'com.x', testMode: false };
const RESPONSE = { sessionToken: 'token', sessionExpiresAtMs: 1n, config: undefined, placements: [] };
const DAY_MS = 86_400_000;
const SERVER = ['session-service'];
/** More than the time between two reads of the files. */
const READ_MS = 1_100;

describe('certificates', () => {
  let folder: string;
  let authority: TestAuthority;
  const open: { close(): unknown }[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-certificates-'));
    authority = await makeTestAuthority();
  });

  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    rmSync(folder, { recursive: true });
  });

  const filesOf = (who: string): Promise<TlsFiles> =>
    authority.issueTo(path.join(folder, who), { names: [who] });

  function openScope(tls: TlsFiles) {
    const clock = makeTestClock(Date.now());
    const timers = makeTestTimers(clock);
    const { log, lines } = makeTestLog();
    const scope = makeTestScope({ rpc: { tls, hasReflection: false }, clock, timers, log });
    open.push(scope);
    return { scope, timers, lines };
  }

  async function openServer(scope: TestScope): Promise<number> {
    const startSession = () => Promise.resolve(RESPONSE);
    const services = [implementService(SessionServiceService, { startSession })];
    return (await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services })).port;
  }

  const openClient = (scope: TestScope, port: number): RpcClient<SessionServiceService> =>
    openGrpcClient(scope, SessionServiceService, { address: `127.0.0.1:${port}`, name: 'session-service' });

  /** The certificate that a server shows to a new connection. */
  function shownAt(port: number): Promise<PeerCertificate> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
      socket.once('error', reject);
      socket.once('secureConnect', () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      });
    });
  }

  async function failureOf(call: Promise<unknown>): Promise<AppError> {
    const failure = await call.then(
      () => null,
      (error: unknown) => error as AppError,
    );
    expect(failure?.code).to.equal('unavailable');
    return failure as AppError;
  }

  it('are those of the files for each new connection, a second after the files changed, and no call fails', async () => {
    const server = openScope(await filesOf('session-service'));
    const port = await openServer(server.scope);
    const gateway = openScope(await filesOf('gateway'));
    const client = openClient(gateway.scope, port);
    await client.startSession(REQUEST);
    const before = await shownAt(port);

    // Another authority replaces the first, in the order of docs/deploying.md: both are trusted, then certificates change.
    const next = await makeTestAuthority('the next authority');
    const both = authority.ca + next.ca;
    const { caFile: atServer } = await filesOf('session-service');
    const { caFile: atGateway } = await filesOf('gateway');
    for (const file of [atServer, atGateway]) writeFileSync(file, both);
    await Promise.all([server.timers.advance(READ_MS), gateway.timers.advance(READ_MS)]);
    await client.startSession(REQUEST);
    await next.issueTo(path.join(folder, 'session-service'), { names: SERVER });
    writeFileSync(atServer, both);
    await server.timers.advance(READ_MS);
    await client.startSession(REQUEST);
    await next.issueTo(path.join(folder, 'gateway'), { names: ['gateway'] });
    await Promise.all([server.timers.advance(READ_MS), gateway.timers.advance(READ_MS)]);

    await client.startSession(REQUEST);
    await openClient(gateway.scope, port).startSession(REQUEST);
    const after = await shownAt(port);
    expect(after.issuer.CN).to.equal('the next authority');
    expect(after.serialNumber).not.to.equal(before.serialNumber);
    expect(server.lines.filter(({ level }) => level !== 'info')).to.deep.equal([]);
  });

  it('stay as they were while the files are half written, which is logged once', async () => {
    const files = await filesOf('session-service');
    const { scope, timers, lines } = openScope(files);
    const port = await openServer(scope);
    const { serialNumber } = await shownAt(port);
    const gateway = openScope(await filesOf('gateway'));
    const next: KeyPair = await authority.issue({ names: SERVER });

    writeFileSync(files.certFile, next.cert.slice(0, 200));
    await timers.advance(READ_MS);
    writeFileSync(files.certFile, next.cert);
    await timers.advance(3 * READ_MS);
    expect((await shownAt(port)).serialNumber).to.equal(serialNumber);
    await openClient(gateway.scope, port).startSession(REQUEST);

    writeFileSync(files.keyFile, next.key);
    await timers.advance(READ_MS);
    await settle();
    expect((await shownAt(port)).serialNumber).not.to.equal(serialNumber);
    await openClient(gateway.scope, port).startSession(REQUEST);
    expect(lines.map(({ level, msg }) => `${level}: ${msg}`)).to.deep.equal([
      'warn: reading certificates failed; it is tried again',
      'info: certificates were read again',
      'info: reading certificates works again',
    ]);
  });

  it('show in a metric when they expire', async () => {
    const { scope } = openScope(await filesOf('session-service'));
    await openServer(scope);
    const text = await scope.metrics.metrics();
    const seconds = Number(/^placard_tls_certificate_expires_seconds (\S+)$/m.exec(text)?.[1]);
    expect(seconds * 1_000).to.be.within(DAY_MS - 60_000, DAY_MS);
  });

  for (const [what, reason, spoil] of [
    ['are missing', 'ENOENT', ({ keyFile }: TlsFiles) => rmSync(keyFile)],
    ['are no PEM', 'the authorities are not PEM', ({ caFile }: TlsFiles) => writeFileSync(caFile, 'x')],
    [
      'do not belong together',
      'the key does not belong to the certificate',
      async ({ keyFile }: TlsFiles) => {
        const { key } = await authority.issue({ names: SERVER });
        writeFileSync(keyFile, key);
      },
    ],
    [
      'have expired',
      'the certificate expired at 2020-01-02T00:00:00.000Z',
      async ({ certFile }: TlsFiles) => {
        const notBefore = Date.parse('2020-01-01T00:00:00Z');
        const notAfter = Date.parse('2020-01-02T00:00:00Z');
        await authority.issueTo(path.dirname(certFile), { names: SERVER, notBefore, notAfter });
      },
    ],
  ] as const) {
    it(`stop the start with one sentence when they ${what}`, async () => {
      const files = await filesOf('session-service');
      await spoil(files);
      const { scope } = openScope(files);
      const error = await openServer(scope).then(
        () => null,
        (thrown: unknown) => thrown as Error,
      );
      expect(error?.name).to.equal('ConfigError');
      expect(error?.message).to.contain('TLS_CERT_FILE, TLS_KEY_FILE, TLS_CA_FILE: ').and.to.contain(reason);
    });
  }

  async function openForeignServer(pair: KeyPair): Promise<number> {
    const server = new Server();
    const pairs = [{ cert_chain: Buffer.from(pair.cert), private_key: Buffer.from(pair.key) }];
    const serving = ServerCredentials.createSsl(Buffer.from(authority.ca), pairs, true);
    open.push({ close: () => server.forceShutdown() });
    return new Promise((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', serving, (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  }

  for (const [what, reason, issue] of [
    [
      'names another service',
      'does not name session-service',
      () => authority.issue({ names: ['fraud-service'] }),
    ],
    [
      'has expired',
      'certificate has expired',
      () =>
        authority.issue({ names: SERVER, notBefore: Date.now() - 2 * DAY_MS, notAfter: Date.now() - DAY_MS }),
    ],
    [
      'is of another authority',
      'unable to verify the first certificate',
      async () => (await makeTestAuthority('another')).issue({ names: SERVER }),
    ],
  ] as const) {
    it(`let a client refuse a server whose certificate ${what}`, async () => {
      const port = await openForeignServer(await issue());
      const { scope } = openScope(await filesOf('gateway'));
      const failure = await failureOf(openClient(scope, port).startSession(REQUEST));
      expect((failure.cause as Error).message).to.contain(reason);
    });
  }

  it('let a client refuse a server without TLS, and a server refuse a client without TLS', async () => {
    const { scope } = openScope(await filesOf('session-service'));
    const withTls = await openServer(scope);
    const plain = makeTestScope();
    open.push(plain);
    const withoutTls = await openServer(plain);
    await failureOf(openClient(plain, withTls).startSession(REQUEST));
    await failureOf(openClient(scope, withoutTls).startSession(REQUEST));
  });

  it('are written into no log and no metric', async () => {
    const files = await filesOf('session-service');
    const { scope, timers, lines } = openScope(files);
    await openServer(scope);
    writeFileSync(files.keyFile, 'x');
    await timers.advance(READ_MS);
    const said = JSON.stringify(lines) + (await scope.metrics.metrics());
    expect(said).not.to.contain(readFileSync(files.certFile, 'utf8').split('\n')[1]);
  });
});
