import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { implementService, openGrpcClient, openGrpcServer } from '@placard/service-kit/grpc';
import { fakeName, makeTestScope, type FakeName, type TestScope } from '@placard/service-kit/testing';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';

const REQUEST = { appKey: 'app_x', packageName: 'com.x', testMode: false };
const RESPONSE = { sessionToken: 't', sessionExpiresAtMs: 1n, config: undefined, placements: [] };
const KNOWN_MS_MAX = 30_000;
const PAUSE_MS = 10;

describe('a replica whose address is added to a name that is in use', () => {
  const scopes: TestScope[] = [];
  let name: FakeName | null = null;
  afterEach(async () => {
    name?.restore();
    for (const scope of scopes.splice(0).reverse()) await scope.close();
  });

  function openScope(): TestScope {
    const scope = makeTestScope();
    scopes.push(scope);
    return scope;
  }

  async function openReplica(host: string, port: number) {
    let served = 0;
    const startSession = (): Promise<typeof RESPONSE> => {
      served += 1;
      return Promise.resolve(RESPONSE);
    };
    const services = [implementService(SessionServiceService, { startSession })];
    const opened = await openGrpcServer(openScope(), { host, port, services });
    return { port: opened.port, served: () => served };
  }

  it('gets calls within 30 seconds, though no connection fails, and no call is lost', async function () {
    // Elsewhere 127.0.0.2 is no address of the machine.
    if (process.platform !== 'linux') this.skip();
    const old = await openReplica('127.0.0.1', 0);
    name = fakeName('127.0.0.1');
    const address = `dns:///name.invalid:${old.port}`;
    const client = openGrpcClient(openScope(), SessionServiceService, { address, name: 'session-service' });
    await client.startSession(REQUEST);
    const fresh = await openReplica('127.0.0.2', old.port);
    name.set('127.0.0.1', '127.0.0.2');
    const addedAt = performance.now();
    while (fresh.served() === 0 && performance.now() - addedAt < KNOWN_MS_MAX) {
      await client.startSession(REQUEST);
      await sleep(PAUSE_MS);
    }
    expect(fresh.served(), 'calls of the new one').to.be.above(0);
  }).timeout(KNOWN_MS_MAX + 10_000);
});
