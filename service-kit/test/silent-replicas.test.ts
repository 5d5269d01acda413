import { EventsServiceService } from '@placard/protos/events/v1/events.js';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { toAppError } from '../src/process/errors.js';
import { makeTestScope, openWire, until, type TestScope, type Wire } from '../src/testing/index.js';
import { openGrpcClient } from '../src/grpc/client.js';
import { implementService } from '../src/grpc/definitions.js';
import { openGrpcServer } from '../src/grpc/server.js';

const SESSION = { appKey: 'app_x', packageName: 'com.x', testMode: false };
const STARTED = { sessionToken: 't', sessionExpiresAtMs: 1n, config: undefined, placements: [] };
const EVENT = { requestId: 'r', impressionToken: 't' };
const JUDGED = { verdict: 1 } as const;
/** By then no call goes to a replica that hangs, in milliseconds. */
const LEFT_MS = 600;

interface Replica {
  readonly wire: Wire;
  served: number;
  /** How long a call takes, in milliseconds. */
  workMs: number;
}

describe('calls to a replica that hangs', () => {
  const scopes: TestScope[] = [];
  const wires: Wire[] = [];
  let caller: TestScope;

  beforeEach(() => {
    caller = openScope();
  });
  afterEach(async () => {
    for (const wire of wires.splice(0)) await wire.close();
    for (const scope of scopes.splice(0)) await scope.close();
  });

  function openScope(): TestScope {
    const scope = makeTestScope();
    scopes.push(scope);
    return scope;
  }

  async function openReplica(): Promise<Replica> {
    const replica = { served: 0, workMs: 0 };
    const serve = async <Answer>(answer: Answer): Promise<Answer> => {
      replica.served += 1;
      if (replica.workMs > 0) await sleep(replica.workMs);
      return answer;
    };
    const judge = () => serve(JUDGED);
    const services = [
      implementService(SessionServiceService, { startSession: () => serve(STARTED) }),
      implementService(EventsServiceService, {
        recordImpression: judge,
        recordClick: judge,
        recordReward: judge,
        recordFallback: () => serve({}),
      }),
    ];
    const { port } = await openGrpcServer(openScope(), { host: '127.0.0.1', port: 0, services });
    const wire = await openWire(port);
    wires.push(wire);
    return Object.assign(replica, { wire });
  }

  function openClients(replicas: readonly Replica[]) {
    const address = `ipv4:${replicas.map(({ wire }) => `127.0.0.1:${wire.port}`).join(',')}`;
    const sessions = openGrpcClient(caller, SessionServiceService, { address, name: 'peer' });
    const events = openGrpcClient(caller, EventsServiceService, { address, name: 'peer' });
    return {
      /** Makes a call that may be sent again. */
      start: () => sessions.startSession(SESSION),
      /** Makes a call that may not be sent again. */
      record: () => events.recordImpression(EVENT),
      /** Makes a call that opens no stream, because it goes alone. */
      recordLarge: () => events.recordImpression({ ...EVENT, impressionToken: 'x'.repeat(300_000) }),
    };
  }

  async function metric(line: string): Promise<number> {
    const text = await caller.metrics.metrics();
    const found = text.split('\n').find((each) => each.startsWith(`${line} `));
    return Number(found?.slice(line.length) ?? 0);
  }

  /** Makes a call every few milliseconds. Returns when the failed calls began, in ms from now, and the time of the longest call. */
  async function callFor(forMs: number, call: () => Promise<unknown>, everyMs = 10) {
    const began = performance.now();
    const failedAt: number[] = [];
    let longestMs = 0;
    const calls: Promise<void>[] = [];
    while (performance.now() - began < forMs) {
      const at = performance.now();
      const fail = (): void => {
        failedAt.push(at - began);
      };
      calls.push(
        call()
          .then(() => undefined, fail)
          .finally(() => {
            longestMs = Math.max(longestMs, performance.now() - at);
          }),
      );
      await sleep(everyMs);
    }
    await Promise.all(calls);
    return { failedAt, longestMs };
  }

  it('are sent again to another replica where that is allowed: none fails, and none waits long', async () => {
    const [first, second] = [await openReplica(), await openReplica()];
    const { start } = openClients([first, second]);
    await callFor(500, start);
    second.wire.freeze();
    const { failedAt, longestMs } = await callFor(1_500, start);
    expect(failedAt).to.deep.equal([]);
    expect(longestMs).to.be.below(LEFT_MS);
    expect(await metric('placard_rpc_client_retries_total{peer="peer",result="made"}')).to.be.above(0);
  });

  it('fail where that is not allowed, but only those of the first moments', async () => {
    const [first, second] = [await openReplica(), await openReplica()];
    const { record } = openClients([first, second]);
    await callFor(500, record);
    second.wire.freeze();
    const { failedAt } = await callFor(1_500, record);
    expect(failedAt).not.to.deep.equal([]);
    expect(failedAt.filter((ms) => ms > LEFT_MS)).to.deep.equal([]);
  });

  it('are answered when it continues in time, and it gets its share again', async () => {
    const [first, second] = [await openReplica(), await openReplica()];
    const { record } = openClients([first, second]);
    await callFor(500, record);
    second.wire.freeze();
    const standing = callFor(1_000, record);
    await sleep(900);
    second.wire.thaw();
    expect((await standing).failedAt).to.deep.equal([]);
    await callFor(1_500, record);
    const before = [first.served, second.served] as const;
    await callFor(1_500, record);
    const share = (second.served - before[1]) / (first.served + second.served - before[0] - before[1]);
    expect(share).to.be.within(0.2, 0.8);
  });

  it('do not go to it when no stream is open yet: none fails', async () => {
    const [first, second] = [await openReplica(), await openReplica()];
    const { record, recordLarge } = openClients([first, second]);
    while (first.served === 0 || second.served === 0) await recordLarge();
    second.wire.freeze();
    const [one, other] = await Promise.all([callFor(300, record), callFor(300, record)]);
    expect([...one.failedAt, ...other.failedAt]).to.deep.equal([]);
  });

  it('continue while it works long on a call, because that is not silence', async () => {
    const [first, second] = [await openReplica(), await openReplica()];
    const { record } = openClients([first, second]);
    await callFor(300, record);
    [first.workMs, second.workMs] = [900, 900];
    expect((await callFor(300, record)).failedAt).to.deep.equal([]);
    expect(await metric('placard_rpc_client_silences_total{peer="peer"}')).to.equal(0);
  });

  it('wait for it when there is no other replica, and are executed once', async () => {
    const replica = await openReplica();
    const { start } = openClients([replica]);
    await callFor(300, start);
    replica.wire.freeze();
    // New streams open when it continues, before the answers come.
    replica.workMs = 100;
    // Fewer calls than the replica works on at the same time when they all arrive.
    const standing = callFor(1_600, start, 25);
    await sleep(1_500);
    replica.wire.thaw();
    expect((await standing).failedAt).to.deep.equal([]);
    expect(await metric('placard_rpc_client_retries_total{peer="peer",result="made"}')).to.equal(0);
  });

  it('fail when its connection breaks, and are not sent again where that is not allowed', async () => {
    const replica = await openReplica();
    const { record } = openClients([replica]);
    await callFor(200, record);
    [replica.workMs, replica.served] = [200, 0];
    const failing = Array.from({ length: 20 }, () =>
      record().catch((error: unknown) => toAppError(error).code),
    );
    await until(() => replica.served === failing.length);
    replica.wire.cut();
    expect(await Promise.all(failing)).to.deep.equal(failing.map(() => 'unavailable'));
    await callFor(300, record);
    expect(await metric('placard_rpc_client_retries_total{peer="peer",result="made"}')).to.equal(0);
  });

  it('are sent again within a budget when connections break, so that retries do not double an outage', async () => {
    const replica = await openReplica();
    const { start } = openClients([replica]);
    await callFor(200, start);
    [replica.workMs, replica.served] = [200, 0];
    const ends = Array.from({ length: 100 }, () =>
      start().then(
        () => 'ok',
        (error: unknown) => toAppError(error).code,
      ),
    );
    await until(() => replica.served === ends.length);
    replica.wire.cut();
    const codes = await Promise.all(ends);
    const answered = codes.filter((code) => code === 'ok').length;
    expect(answered).to.be.within(10, 30);
    expect(codes.filter((code) => code === 'unavailable')).to.have.length(ends.length - answered);
    expect(replica.served).to.equal(ends.length + answered);
  });
});
