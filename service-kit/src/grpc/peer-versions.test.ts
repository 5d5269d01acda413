import { credentials, Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { VersionServiceClient, VersionServiceService } from '@placard/protos/version/v1/version.js';
import type { Version } from '@placard/protos/version/v1/version.js';
import { expect } from 'chai';
import { pino } from 'pino';
import { makeTestScope, type TestScope } from '../testing/index.js';
import { openGrpcClient } from './client.js';
import { PROTOCOL } from './peer-versions.js';
import { openGrpcServer } from './server.js';

const NEWER: Version = { name: 'session-service', release: '7.1.0', protocol: PROTOCOL + 1 };
const POLL_MS = 5;

describe('a peer of an unknown version', () => {
  let scope: TestScope;
  let warnings: string[];
  const closers: (() => void)[] = [];
  beforeEach(() => {
    warnings = [];
    const write = (line: string): void => void warnings.push((JSON.parse(line) as { msg: string }).msg);
    scope = { ...makeTestScope({ name: 'gateway' }), log: pino({ level: 'warn' }, { write }) };
    scope.health.register('process').set(true);
  });
  afterEach(async () => {
    await scope.close();
    for (const close of closers.splice(0)) close();
  });

  /** A server that is not ours, or of another time. */
  async function listen(implementation: UntypedServiceImplementation | null): Promise<number> {
    const server = new Server();
    if (implementation !== null) server.addService(VersionServiceService, implementation);
    closers.push(() => server.forceShutdown());
    return new Promise((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
  }

  const call = (port: number): void => {
    openGrpcClient(scope, SessionServiceService, { address: `127.0.0.1:${port}`, name: 'session-service' });
  };

  /** What the metric says, once it says something. */
  async function heard(of: TestScope = scope): Promise<number> {
    for (;;) {
      const metric = await of.metrics.getSingleMetric('placard_rpc_unknown_peers')?.get();
      const [sample] = metric?.values ?? [];
      if (sample !== undefined) return sample.value;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  it('is none of the same release', async () => {
    const serverScope = makeTestScope({ name: 'session-service' });
    const { port } = await openGrpcServer(serverScope, { host: '127.0.0.1', port: 0, services: [] });
    call(port);
    expect(await heard()).to.equal(0);
    expect(await heard(serverScope)).to.equal(0);
    expect(warnings).to.deep.equal([]);
    expect(scope.health.components()).to.have.all.keys('process');
    await serverScope.close();
  });

  it('is named by its caller with both versions, in log, readiness and metrics, and the caller stays ready', async () => {
    call(
      await listen({
        exchangeVersions: (_: unknown, answer: (e: null, r: object) => void) =>
          answer(null, { version: NEWER }),
      }),
    );
    expect(await heard()).to.equal(1);
    const text = warnings[0];
    expect(text).to.match(
      /^session-service is of an unknown version: release 7\.1\.0, protocol 2; this process is release \d+\.\d+\.\d+\S*, protocol 1$/,
    );
    expect(scope.health.components()['version of session-service']).to.deep.equal({
      ok: false,
      detail: text,
    });
    expect(scope.health.isReady()).to.equal(true);
  });

  it('is one that knows no versions', async () => {
    call(await listen(null));
    expect(await heard()).to.equal(1);
    expect(warnings[0]).to.contain(
      'session-service is of an unknown version: it tells none; this process is release',
    );
  });

  it('is named by who is called as well, once', async () => {
    const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services: [] });
    const client = new VersionServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
    closers.push(() => client.close());
    const exchange = (version: Version): Promise<Version | undefined> =>
      new Promise((resolve, reject) => {
        client.exchangeVersions({ version }, (error, response) =>
          error === null ? resolve(response.version) : reject(error),
        );
      });
    expect(await exchange(NEWER)).to.include({ name: 'gateway', protocol: PROTOCOL });
    await exchange(NEWER);
    expect(warnings).to.have.length(1);
    await exchange({ ...NEWER, protocol: PROTOCOL });
    expect(await heard()).to.equal(0);
    expect(scope.health.components()['version of session-service']?.ok).to.equal(true);
    await exchange({ ...NEWER, name: 'no name of\na process' });
    expect(warnings).to.have.length(1);
  });
});
