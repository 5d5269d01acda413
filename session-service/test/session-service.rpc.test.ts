import { AdFormat, CapPeriod, FallbackProvider } from '@placard/protos/catalog/v1/catalog.js';
import { FraudServiceService, type SuspiciousEvent } from '@placard/protos/fraud/v1/fraud.js';
import { SessionServiceService, type StartSessionRequest } from '@placard/protos/session/v1/session.js';
import { implementService, openGrpcClient, openGrpcServer, type RpcClient } from '@placard/service-kit/grpc';
import { makeSessionTokens, parseKeyRing } from '@placard/service-kit/tokens';
import {
  codeOf,
  makeTestClock,
  makeTestScope,
  openTestCatalogServer,
  testApp,
  testChanges,
  testPlacement,
  testPublisher,
  testSnapshot,
  until,
  type TestCatalogStream,
  type TestScope,
} from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openApp } from '../src/app.js';
import { readSessionConfig } from '../src/config.js';

const NOW_MS = 1_772_366_400_123;
const SESSION_TOKEN_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64url')}`;
const NOBODY = '127.0.0.1:1';
const REQUEST: StartSessionRequest = {
  appKey: 'app_0123456789abcdefghijABCD',
  packageName: 'com.sunrise.puzzle',
  sdkVersion: '1.0.0',
  appVersion: undefined,
  osVersion: undefined,
  testMode: false,
};
const CATALOG = {
  global: { isServingEnabled: true },
  publishers: [testPublisher()],
  apps: [testApp()],
  placements: [
    testPlacement({ frequencyCap: { count: 3, period: 'day' } }),
    testPlacement({ code: 'bonus', format: 'rewarded', fallbackProvider: 'none', partnerAdUnitId: null }),
  ],
};

type Client = RpcClient<typeof SessionServiceService>;

describe('SessionService', () => {
  let peers: TestScope;
  let scope: TestScope;
  let logged: SuspiciousEvent[];
  let stream: Promise<TestCatalogStream>;
  let environment: Record<string, string>;
  beforeEach(async () => {
    peers = makeTestScope({ name: 'peers' });
    scope = makeTestScope({ name: 'session-service', clock: makeTestClock(NOW_MS) });
    logged = [];
    const catalogServer = await openTestCatalogServer(makeScopeOfPeer('console-service'));
    stream = catalogServer.nextStream();
    const fraud = await openGrpcServer(makeScopeOfPeer('fraud-service'), {
      host: '127.0.0.1',
      port: 0,
      services: [fraudService(logged)],
    });
    environment = {
      HOST: '127.0.0.1',
      GRPC_PORT: '0',
      METRICS_PORT: '0',
      SESSION_TOKEN_KEYS,
      CONSOLE_SERVICE_ADDRESS: catalogServer.address,
      FRAUD_SERVICE_ADDRESS: `127.0.0.1:${fraud.port}`,
    };
  });
  afterEach(async () => {
    await scope.close();
    await peers.close();
  });

  function makeScopeOfPeer(name: string): TestScope {
    const peer = makeTestScope({ name });
    peers.onClose(name, () => peer.close());
    return peer;
  }

  async function start(overrides: Readonly<Record<string, string>> = {}): Promise<Client> {
    const { port } = await openApp(scope, readSessionConfig({ ...environment, ...overrides }));
    return openGrpcClient(scope, SessionServiceService, {
      address: `127.0.0.1:${port}`,
      name: 'session-service',
    });
  }

  async function startWithCatalog(overrides: Readonly<Record<string, string>> = {}): Promise<Client> {
    // A process waits for its first catalog for some time before it listens.
    const sent = stream.then((opened) => opened.send(...testSnapshot(1, CATALOG)));
    const [client] = await Promise.all([start(overrides), sent]);
    await until(() => scope.health.components()['catalog']?.ok === true);
    return client;
  }

  it('starts a session as the contract describes', async () => {
    const client = await startWithCatalog();
    const { sessionToken, ...response } = await client.startSession(REQUEST);
    expect(response).to.deep.equal({
      sessionExpiresAtMs: BigInt(NOW_MS + 3_600_000),
      config: {
        servingEnabled: true,
        requestTimeoutMs: 1_000,
        fallbackEnabled: true,
        testMode: false,
        configTtlSeconds: 300,
      },
      placements: [
        {
          code: 'bonus',
          format: AdFormat.REWARDED,
          serviceEnabled: true,
          fallbackProvider: FallbackProvider.NONE,
          partnerAdUnitId: undefined,
          requestTimeoutMs: 1_000,
          frequencyCap: undefined,
          bannerRefreshSeconds: 30,
        },
        {
          code: 'home_banner',
          format: AdFormat.BANNER,
          serviceEnabled: true,
          fallbackProvider: FallbackProvider.PARTNER,
          partnerAdUnitId: 'ca-app-unit-1',
          requestTimeoutMs: 1_000,
          frequencyCap: { count: 3, period: CapPeriod.DAY },
          bannerRefreshSeconds: 30,
        },
      ],
    });
    const claims = makeSessionTokens(parseKeyRing(SESSION_TOKEN_KEYS)).open(sessionToken);
    expect(claims).to.deep.include({
      appId: 'app_sunrise_puzzle',
      packageName: 'com.sunrise.puzzle',
      isTest: false,
      issuedAtMs: NOW_MS,
      expiresAtMs: NOW_MS + 3_600_000,
    });
  });

  it('takes the lifetime from SESSION_TTL_SECONDS', async () => {
    const client = await startWithCatalog({ SESSION_TTL_SECONDS: '2' });
    const { sessionExpiresAtMs } = await client.startSession(REQUEST);
    expect(sessionExpiresAtMs).to.equal(BigInt(NOW_MS + 2_000));
  });

  it('answers by the catalog in force, so that a switch acts without a restart', async () => {
    const client = await startWithCatalog();
    const isServing = async (): Promise<boolean | undefined> =>
      (await client.startSession(REQUEST)).config?.servingEnabled;
    expect(await isServing()).to.equal(true);
    (await stream).send(testChanges(2, { global: { isServingEnabled: false } }));
    await until(async () => (await isServing()) === false);
    (await stream).send(testChanges(3, { apps: [testApp({ isApproved: false })] }));
    await until(async () => (await codeOf(client.startSession(REQUEST))) === 'app_not_approved');
    expect(await codeOf(client.startSession({ ...REQUEST, testMode: true }))).to.equal(null);
  });

  it('refuses with the codes of the contract over the wire', async () => {
    const client = await startWithCatalog();
    const codeFor = (overrides: Partial<StartSessionRequest>): Promise<unknown> =>
      codeOf(client.startSession({ ...REQUEST, ...overrides }));
    expect(await codeFor({ appKey: 'app_unknown', packageName: 'x' })).to.equal('invalid_app_key');
    expect(await codeFor({ packageName: 'x' })).to.equal('package_mismatch');
  });

  it('reports a package mismatch to fraud-service', async () => {
    const client = await startWithCatalog();
    expect(await codeOf(client.startSession({ ...REQUEST, packageName: 'com.other' }))).to.equal(
      'package_mismatch',
    );
    await until(() => logged.length > 0);
    expect(logged).to.deep.equal([
      {
        rule: 'package_mismatch',
        event: 'initialize',
        appId: 'app_sunrise_puzzle',
        placement: undefined,
        sessionId: undefined,
        requestId: undefined,
        atMs: BigInt(NOW_MS),
      },
    ]);
  });

  it('works as always while fraud-service is unavailable', async () => {
    const client = await startWithCatalog({ FRAUD_SERVICE_ADDRESS: NOBODY });
    const wrong = { ...REQUEST, packageName: 'com.other' };
    const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(client.startSession(wrong))));
    expect(new Set(codes)).to.deep.equal(new Set(['package_mismatch']));
    expect(await codeOf(client.startSession(REQUEST))).to.equal(null);
  });

  it('is not ready, and refuses no app key, before it has a catalog', async () => {
    const client = await start({ CONSOLE_SERVICE_ADDRESS: NOBODY });
    expect(scope.health.isReady()).to.equal(false);
    expect(await codeOf(client.startSession(REQUEST))).to.equal('unavailable');
  });
});

function fraudService(logged: SuspiciousEvent[]) {
  const notAsked = (): Promise<never> => Promise.reject(new Error('not asked'));
  return implementService(FraudServiceService, {
    judgeAdRequest: notAsked,
    judgeEvents: notAsked,
    findSuspiciousEvents: () => Promise.resolve({ events: [] }),
    countSuspiciousEvents: () => Promise.resolve({ rows: [], rowsLeftOut: 0n }),
    recordSuspiciousEvents: ({ events }) => {
      logged.push(...events);
      return Promise.resolve({});
    },
  });
}
