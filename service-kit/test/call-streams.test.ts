import { status, type Client } from '@grpc/grpc-js';
import { SessionServiceService } from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestScope, openWire, until, type TestScope } from '../src/testing/index.js';
import { openGrpcClient } from '../src/grpc/client.js';
import { CallStreams } from '../src/grpc/streams/call-streams.js';
import { implementService } from '../src/grpc/definitions.js';
import { OutgoingCall } from '../src/grpc/outgoing-call.js';
import { openGrpcServer } from '../src/grpc/server.js';

const REQUEST = { appKey: 'app_x', packageName: 'com.x', testMode: false };
const RESPONSE = { sessionToken: 't', sessionExpiresAtMs: 1n, config: undefined, placements: [] };
const LANES = 8;
/** Half seconds until a replica that starts later is found. */
const FOUND_TRIES_MAX = 20;

interface Replica {
  readonly scope: TestScope;
  port: number;
  served: number;
}

describe('streams of calls', () => {
  const scopes: TestScope[] = [];
  afterEach(async () => {
    for (const scope of scopes.splice(0).reverse()) await scope.close();
  });

  function openScope(): TestScope {
    const scope = makeTestScope();
    scopes.push(scope);
    return scope;
  }

  async function openReplica(port = 0): Promise<Replica> {
    const scope = openScope();
    const replica: Replica = { scope, port: 0, served: 0 };
    const startSession = (): Promise<typeof RESPONSE> => {
      replica.served += 1;
      return Promise.resolve(RESPONSE);
    };
    const services = [implementService(SessionServiceService, { startSession })];
    replica.port = (await openGrpcServer(scope, { host: '127.0.0.1', port, services })).port;
    return replica;
  }

  function openClient(replicas: readonly { readonly port: number }[]) {
    const address = `ipv4:${replicas.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    return openGrpcClient(openScope(), SessionServiceService, { address, name: 'session-service' });
  }

  /** Makes calls for a time. */
  async function call(client: ReturnType<typeof openClient>, forMs: number): Promise<void> {
    const until = performance.now() + forMs;
    const lane = async (): Promise<void> => {
      while (performance.now() < until) {
        await client.startSession(REQUEST);
        await sleep(1);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  it('spread the calls evenly over all replicas', async () => {
    const replicas = await Promise.all([openReplica(), openReplica(), openReplica()]);
    await call(openClient(replicas), 2_500);
    const total = replicas.reduce((sum, { served }) => sum + served, 0);
    for (const { served } of replicas) expect(served / total).to.be.within(0.15, 0.55);
  });

  it('reach a replica that starts later within a few seconds, and no call fails when they are renewed', async () => {
    const [first, gone] = [await openReplica(), await openReplica()];
    await gone.scope.close();
    const client = openClient([first, gone]);
    await call(client, 500);
    const later = await openReplica(gone.port);
    const isReached = (): boolean => later.served > first.served / 10;
    for (let tries = 0; !isReached() && tries < FOUND_TRIES_MAX; tries += 1) await call(client, 500);
    expect(isReached()).to.equal(true);
  });

  it('are skipped while they are full, and calls are sent alone when all are full', async () => {
    const peer = openFakePeer();
    const streams = new CallStreams(peer.peer, openScope().random);
    await send(streams);
    while (peer.opened.length < 4) await turn();
    await turn();
    const before = peer.alone();
    for (let count = 0; count < 12; count += 1) await send(streams);
    expect(peer.alone() - before, 'each of the four takes two frames, and one has one').to.equal(12 - 7);
    peer.opened[2]?.emit('drain');
    await send(streams);
    expect(peer.alone() - before).to.equal(5);
  });

  it('are not used while one replica does not support them, so that every replica gets its share', async () => {
    const peer = openFakePeer((stream, place) => {
      if (place < 3) stream.emit('metadata');
      else {
        stream.push(null);
        stream.emit('error', Object.assign(new Error('unknown'), { code: status.UNIMPLEMENTED }));
      }
    });
    const streams = new CallStreams(peer.peer, openScope().random);
    await send(streams);
    while (peer.opened.length < 4) await turn();
    for (let count = 0; count < 3; count += 1) await turn();
    const before = peer.alone();
    for (let count = 0; count < 3; count += 1) await send(streams);
    expect(peer.alone() - before).to.equal(3);
    // The first one ends with its last answer: until then it may have to say that a caller has left.
    expect(peer.opened.map((stream) => stream.writableEnded)).to.deep.equal([false, true, true, false]);
  });

  it('hold few calls for a replica that hangs, long before a call is late', async () => {
    const [first, second] = [await openReplica(), await openReplica()];
    const wire = await openWire(second.port);
    const client = openClient([first, wire]);
    await call(client, 500);
    wire.freeze();
    const request = { ...REQUEST, appKey: 'x'.repeat(1_000) };
    let open = 0;
    for (let turns = 0; turns < 600; turns += 1) {
      for (let count = 0; count < 5; count += 1) {
        open += 1;
        void client.startSession(request).then(
          () => (open -= 1),
          () => undefined,
        );
      }
      await turn();
    }
    await until(() => open < 500, 1_000);
    await wire.close();
  });

  it('are cancelled when no caller waits any more, so that no call is executed late', async () => {
    const peer = openFakePeer();
    const streams = new CallStreams(peer.peer, openScope().random);
    await send(streams, 400);
    while (peer.opened.length < 4) await turn();
    for (let count = 0; count < 4; count += 1) await send(streams, 400);
    expect(peer.cancelled()).to.equal(0);
    await until(() => peer.cancelled() === 4);
    streams.close();
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Makes a call that no server answers. */
async function send(streams: CallStreams, budgetMs = 1_000): Promise<void> {
  const end = { onResponse: () => undefined, onError: () => undefined };
  const context = { deadlineAt: 0, budgetMs, startedAt: performance.now(), requestId: '-' };
  const request = Buffer.alloc(1);
  streams.send(
    new OutgoingCall({ path: '/x', request, ...context, traceparent: null, isRetried: false, ...end }),
  );
  await turn();
}

/** A peer whose streams take two frames each and transmit nothing. `answer` runs for each stream that is opened. */
function openFakePeer(answer: (stream: Duplex, place: number) => void = (stream) => stream.emit('metadata')) {
  const opened: Duplex[] = [];
  let alone = 0;
  let cancelled = 0;
  const nothing = (): void => undefined;
  const makeBidiStreamRequest = (): Duplex => {
    const stream = new Duplex({ objectMode: true, highWaterMark: 2, read: nothing, write: nothing });
    const place = opened.push(stream) - 1;
    const cancel = (): void => {
      cancelled += 1;
      stream.push(null);
    };
    Object.assign(stream, { cancel, getPeer: () => `${place}` });
    setImmediate(() => answer(stream, place));
    return stream;
  };
  const channel = { makeBidiStreamRequest, makeUnaryRequest: () => void (alone += 1) };
  const told = { onMessage: nothing, onSilence: nothing, onRetry: nothing };
  const peer = { name: 'peer', channel: channel as unknown as Client, ...told };
  return { peer, opened, alone: () => alone, cancelled: () => cancelled };
}
