import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../src/process/errors.js';
import { fakeName, makeTestScope, type TestScope } from '../src/testing/index.js';
import { openGrpcClient } from '../src/grpc/client.js';
import { implementService } from '../src/grpc/definitions.js';
import { openGrpcServer } from '../src/grpc/server.js';

const REQUEST = { appKey: 'app_x', packageName: 'com.x', testMode: false };
const RESPONSE = { sessionToken: 't', sessionExpiresAtMs: 1n, config: undefined, placements: [] };
const LANES = 32;
const TURNS = 3;
const POLL_MS = 5;
/** Calls are in progress at every moment, even when the process stops. */
const WORK_MS = 20;

/** One of the processes that replace each other, on its own port. */
interface Turn {
  readonly scope: TestScope;
  readonly port: number;
  readonly served: () => number;
}

async function open(port: number, host = '127.0.0.1'): Promise<Turn> {
  const scope = makeTestScope();
  let count = 0;
  const startSession = async (): Promise<typeof RESPONSE> => {
    count += 1;
    await sleep(WORK_MS);
    return RESPONSE;
  };
  const services = [implementService(SessionServiceService, { startSession })];
  const opened = await openGrpcServer(scope, { host, port, services });
  return { scope, port: opened.port, served: () => count };
}

describe('gRPC calls while the processes that serve them are replaced', () => {
  it('are all answered: a process finishes every call that it takes, and clients find its successor', async () => {
    let current = await open(0);
    let next = await open(0);
    const load = openLoad(`ipv4:127.0.0.1:${current.port},127.0.0.1:${next.port}`);
    for (let turn = 0; turn < TURNS; turn += 1) {
      while (next.served() < LANES) await sleep(POLL_MS);
      await current.scope.close();
      [current, next] = [next, await open(current.port)];
    }
    expect(await load.end()).to.deep.equal([]);
    for (const each of [current, next]) await each.scope.close();
  }).timeout(20_000);

  it('are all answered when the only address of a name changes while the old process drains', async function () {
    // On other systems, 127.0.0.2 is not an address of the machine.
    if (process.platform !== 'linux') this.skip();
    const old = await open(0);
    const fresh = await open(old.port, '127.0.0.2');
    const names = fakeName('127.0.0.1');
    try {
      const load = openLoad(`dns:///name.invalid:${old.port}`);
      while (old.served() < LANES) await sleep(POLL_MS);
      old.scope.stop();
      names.set('127.0.0.2');
      while (fresh.served() < LANES) await sleep(POLL_MS);
      await old.scope.close();
      expect(await load.end()).to.deep.equal([]);
      expect(names.lookups(), 'no storm of look-ups').to.be.below(10);
    } finally {
      names.restore();
      await fresh.scope.close();
    }
  }).timeout(20_000);

  it('are answered again soon after the only address of a name has failed and the name has another', async function () {
    if (process.platform !== 'linux') this.skip();
    const old = await open(0);
    const fresh = await open(old.port, '127.0.0.2');
    const names = fakeName('127.0.0.1');
    try {
      const load = openLoad(`dns:///name.invalid:${old.port}`);
      while (old.served() < LANES) await sleep(POLL_MS);
      await old.scope.close();
      names.set('127.0.0.2');
      while (fresh.served() < LANES) await sleep(POLL_MS);
      await load.end();
    } finally {
      names.restore();
      await fresh.scope.close();
    }
  }).timeout(10_000);
});

/** Calls a service without a pause. `end` stops it and answers the failures. */
function openLoad(address: string): { readonly end: () => Promise<readonly string[]> } {
  const scope = makeTestScope();
  const client = openGrpcClient(scope, SessionServiceService, { address, name: 'session-service' });
  const failures: string[] = [];
  const over = new AbortController();
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        await client.startSession(REQUEST);
      } catch (error) {
        failures.push(messageOf(error));
        await sleep(POLL_MS);
      }
    }
  };
  const lanes = Array.from({ length: LANES }, lane);
  return {
    async end() {
      over.abort();
      await Promise.all(lanes);
      await scope.close();
      return failures;
    },
  };
}
