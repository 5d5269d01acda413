import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.js';
import { makeTestScope, type TestScope } from '../testing/index.js';
import { openGrpcClient } from './client.js';
import { implementService, openGrpcServer } from './server.js';

const REQUEST = { appKey: 'app_x', packageName: 'com.x', testMode: false };
const RESPONSE = { sessionToken: 't', sessionExpiresAtMs: 1n, config: undefined, placements: [] };
const LANES = 32;
const TURNS = 3;
const POLL_MS = 5;
/** So that calls are being served at every moment, also when the process stops. */
const WORK_MS = 20;

/** One of the processes that take turns, on a port of its own. */
interface Turn {
  readonly scope: TestScope;
  readonly port: number;
  readonly served: () => number;
}

async function open(port: number): Promise<Turn> {
  const scope = makeTestScope();
  let count = 0;
  const startSession = async (): Promise<typeof RESPONSE> => {
    count += 1;
    await sleep(WORK_MS);
    return RESPONSE;
  };
  const services = [implementService(SessionServiceService, { startSession })];
  const opened = await openGrpcServer(scope, { host: '127.0.0.1', port, services });
  return { scope, port: opened.port, served: () => count };
}

describe('gRPC calls while the processes that serve them are replaced', () => {
  it('are all answered: a process takes no call that it does not finish, and clients find its successor', async () => {
    let current = await open(0);
    let next = await open(0);
    const scope = makeTestScope();
    const address = `ipv4:127.0.0.1:${current.port},127.0.0.1:${next.port}`;
    const client = openGrpcClient(scope, SessionServiceService, { address, name: 'session-service' });
    const failures: string[] = [];
    let [isOver, answered] = [false, 0];
    const lane = async (): Promise<void> => {
      while (!isOver) {
        try {
          await client.startSession(REQUEST);
          answered += 1;
        } catch (error) {
          failures.push(messageOf(error));
          await sleep(POLL_MS);
        }
      }
    };
    const lanes = Array.from({ length: LANES }, lane);
    for (let turn = 0; turn < TURNS; turn += 1) {
      while (next.served() < LANES) await sleep(POLL_MS);
      await current.scope.close();
      [current, next] = [next, await open(current.port)];
    }
    isOver = true;
    await Promise.all(lanes);
    expect(failures, `of ${answered + failures.length} calls`).to.deep.equal([]);
    for (const each of [scope, current.scope, next.scope]) await each.close();
  }).timeout(60_000);
});
