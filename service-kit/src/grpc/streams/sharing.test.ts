import { credentials, Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { BatchServiceClient, type Member, type Result } from '@placard/protos/batch/v1/batch.js';
import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import {
  SessionServiceService,
  type StartSessionRequest,
  type StartSessionResponse,
} from '@placard/protos/session/v1/session.js';
import { expect } from 'chai';
import { appError, toAppError } from '../../process/errors.js';
import { makeTestScope, until, type TestScope } from '../../testing/index.js';
import { openTelemetry } from '../../tracing/open-telemetry.js';
import type { CallContext } from '../call-context.js';
import { openGrpcClient } from '../client.js';
import { implementService, asServiceDefinition, type RpcClient } from '../definitions.js';
import { openGrpcServer } from '../server.js';

type Handler = (appKey: string, call: CallContext) => Promise<string>;
const messageBytesMax = 2 * 1024 * 1024;
const PATH = SessionServiceService.startSession.path;
/** For a handler that does not look at its call. */
const NO_CALL: CallContext = { deadlineAt: 0, requestId: '-' };
const MESSAGES = 'placard_rpc_client_messages_total{peer="peer"}';

function requestOf(appKey: string, packageName = 'com.x'): StartSessionRequest {
  return {
    appKey,
    packageName,
    sdkVersion: undefined,
    appVersion: undefined,
    osVersion: undefined,
    testMode: false,
  };
}

function responseOf(sessionToken: string): StartSessionResponse {
  return { sessionToken, sessionExpiresAtMs: 1n, config: undefined, placements: [] };
}

describe('calls made at the same time', () => {
  let scope: TestScope;
  let port: number;
  let handler: Handler;
  let client: RpcClient<SessionServiceService>;
  /** The result of each call, in the order of their ends. */
  let ends: string[];

  beforeEach(async () => {
    scope = makeTestScope();
    ends = [];
    handler = (appKey) => Promise.resolve(appKey);
    const startSession = async (request: StartSessionRequest, call: CallContext) =>
      responseOf(await handler(request.appKey, call));
    const requestAd = (): Promise<never> => Promise.reject(new Error('is not called'));
    const commitReservations = async (): Promise<object> => ({ token: await handler('', NO_CALL) });
    const services = [
      implementService(SessionServiceService, { startSession }),
      implementService(ServingServiceService, { requestAd, commitReservations }),
    ];
    ({ port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services, messageBytesMax }));
    client = open(port);
    await untilShared();
  });
  afterEach(() => scope.close());

  /** Calls until a stream is open. The first calls are sent alone. */
  async function untilShared(): Promise<void> {
    for (let shared = 0; shared < 4;) {
      const before = await metric(MESSAGES);
      await Promise.all([client.startSession(requestOf('')), client.startSession(requestOf(''))]);
      shared = (await metric(MESSAGES)) === before + 1 ? shared + 1 : 0;
    }
    scope.metrics.resetMetrics();
  }

  function open(at: number): RpcClient<SessionServiceService> {
    return openGrpcClient(scope, SessionServiceService, {
      address: `127.0.0.1:${at}`,
      name: 'peer',
      messageBytesMax,
    });
  }

  async function call(appKey: string, context: Partial<CallContext> = {}): Promise<void> {
    const end = await client.startSession(requestOf(appKey), context).then(
      (response) => response.sessionToken,
      (error: unknown) => toAppError(error).code,
    );
    ends.push(`${appKey}: ${end}`);
  }

  async function metric(line: string): Promise<number> {
    const text = await scope.metrics.metrics();
    return Number(
      text
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.slice(line.length) ?? 0,
    );
  }
  const messages = (): Promise<number> => metric(MESSAGES);

  it('share a frame, and are counted and answered one by one', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `app_${i}`);
    const seen: string[] = [];
    handler = (appKey, { requestId }) => {
      seen.push(requestId);
      return Promise.resolve(appKey);
    };
    await Promise.all(ids.map((id) => call(id, { requestId: `req_${id}` })));
    expect(ends).to.deep.equal(ids.map((id) => `${id}: ${id}`));
    expect(seen).to.deep.equal(ids.map((id) => `req_${id}`));
    expect(await messages()).to.equal(1);
    for (const name of ['client_seconds_count{peer="peer",', 'server_seconds_count{']) {
      expect(await metric(`placard_rpc_${name}method="startSession",outcome="ok"}`)).to.equal(20);
    }
  });

  it('fail one by one, each with its full error', async () => {
    const fields = { 'a.b': ['ü', '2'] };
    handler = (appKey) =>
      appKey === 'bad'
        ? Promise.reject(appError('rate_limited', 'Nö.', { fields, retryAfterSeconds: 7 }))
        : Promise.resolve(appKey);
    const failure = client.startSession(requestOf('bad')).catch((error: unknown) => error);
    await Promise.all([call('a'), call('b'), failure]);
    expect(await failure).to.include({ code: 'rate_limited', publicText: 'Nö.', retryAfterSeconds: 7 });
    expect(await failure).to.have.deep.property('fields', fields);
    expect(ends).to.deep.equal(['a: a', 'b: b']);
    expect(await messages()).to.equal(1);
  });

  it('have their own deadlines, and none waits for a slower one', async () => {
    const left: number[] = [];
    handler = (appKey, { deadlineAt }) => {
      left.push(deadlineAt - Date.now());
      return appKey.startsWith('stuck') ? new Promise(() => undefined) : Promise.resolve(appKey);
    };
    const now = Date.now();
    await Promise.all([
      call('stuck long', { deadlineAt: now + 400 }),
      call('stuck short', { deadlineAt: now + 200 }),
      call('quick', { deadlineAt: now + 300 }),
    ]);
    expect(ends).to.deep.equal([
      'quick: quick',
      'stuck short: deadline_exceeded',
      'stuck long: deadline_exceeded',
    ]);
    expect(Date.now() - now).to.be.at.least(385);
    const [long = 0, short = 0] = left;
    expect(long - short).to.be.within(150, 250);
    expect(await messages()).to.equal(1);
  });

  it('are answered while earlier calls hang, and late answers are ignored', async () => {
    const late: (() => void)[] = [];
    handler = (appKey) =>
      appKey === 'stuck'
        ? new Promise((resolve) => late.push(() => resolve('too late')))
        : Promise.resolve(appKey);
    const deadlineAt = Date.now() + 100;
    await Promise.all([call('stuck', { deadlineAt }), call('next'), call('stuck', { deadlineAt })]);
    for (const answer of late) answer();
    await call('after');
    expect(ends).to.deep.equal([
      'next: next',
      'stuck: deadline_exceeded',
      'stuck: deadline_exceeded',
      'after: after',
    ]);
    expect(
      await metric('placard_rpc_client_seconds_count{peer="peer",method="startSession",outcome="ok"}'),
    ).to.equal(2);
  });

  it('all fail when the peer cannot be reached', async () => {
    client = open(1);
    await Promise.all([call('a'), call('b'), call('c')]);
    expect(ends).to.deep.equal(['a: unavailable', 'b: unavailable', 'c: unavailable']);
  });

  it('all fail when the process stops before they are answered', async () => {
    const calls = Promise.all([call('a'), call('b')]);
    await scope.close();
    await calls;
    client.startSession(requestOf('late')).catch(() => ends.push('late failed'));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).to.deep.equal(['a: unavailable', 'b: unavailable', 'late failed']);
  });

  it('are sent alone when they are large', async () => {
    const large = requestOf('a', 'x'.repeat(256 * 1024));
    await Promise.all([client.startSession(large), client.startSession(large)]);
    expect(await messages()).to.equal(2);
  });

  it('are sent alone when they may take long', async () => {
    const patient = openGrpcClient(scope, SessionServiceService, {
      address: `127.0.0.1:${port}`,
      name: 'peer',
      budgetMs: 3_001,
    });
    for (let turn = 0; turn < 5; turn += 1) {
      await Promise.all([patient.startSession(requestOf('a')), patient.startSession(requestOf('b'))]);
    }
    expect(await messages()).to.equal(10);
  });

  it('are sent in frames of at most 64 calls and 1 MiB', async () => {
    await Promise.all(Array.from({ length: 65 }, (_, i) => call(`${i}`)));
    expect(await messages()).to.equal(2);
    const large = requestOf('a', 'x'.repeat(250 * 1024));
    await Promise.all(Array.from({ length: 5 }, () => client.startSession(large)));
    expect(await messages()).to.equal(4);
  });

  it('get all their answers when these do not fit into one frame', async () => {
    const token = 'x'.repeat(300 * 1024);
    handler = () => Promise.resolve(token);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => client.startSession(requestOf(`${i}`))),
    );
    expect(answers.every(({ sessionToken }) => sessionToken === token)).to.equal(true);
    expect(await messages()).to.equal(1);
  });

  it('get all their errors when these do not fit into one message', async () => {
    const text = '€'.repeat(1_000);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    handler = async () => {
      waiting += 1;
      await released;
      throw appError('conflict', text);
    };
    // The method is never refused, however many calls there are.
    const serving = openGrpcClient(scope, ServingServiceService, {
      address: `127.0.0.1:${port}`,
      name: 'serving',
      budgetMs: 3_000,
      messageBytesMax,
    });
    const failures = Array.from({ length: 1_600 }, () =>
      serving.commitReservations({ outcomes: [] }).catch((error: unknown) => toAppError(error).code),
    );
    await until(() => waiting === failures.length);
    release();
    expect(new Set(await Promise.all(failures))).to.deep.equal(new Set(['conflict']));
  });

  describe('with a peer of a release without streams', () => {
    let old: Server;

    beforeEach(async () => {
      old = new Server();
      old.addService(asServiceDefinition(SessionServiceService), {
        startSession: (
          { request }: { request: StartSessionRequest },
          answer: (error: null, response: StartSessionResponse) => void,
        ) => answer(null, responseOf(request.appKey)),
      });
      const bound = await new Promise<number>((resolve, reject) => {
        old.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) => {
          if (error === null) resolve(at);
          else reject(error);
        });
      });
      client = open(bound);
    });
    afterEach(() => old.forceShutdown());

    it('are sent one by one, and no stream is tried again', async () => {
      await call('alone');
      expect(await messages()).to.equal(1);
      await Promise.all([call('a'), call('b'), call('c')]);
      expect(await messages()).to.equal(1 + 3);
      await Promise.all([call('d'), call('e')]);
      expect(await messages()).to.equal(4 + 2);
      expect(ends.map((end) => end.split(': ')[1])).to.have.members(['alone', 'a', 'b', 'c', 'd', 'e']);
    });
  });

  it('stay steps of their own traces', async () => {
    const opened = openTelemetry({
      name: 'x',
      endpoint: 'http://127.0.0.1:1',
      ratio: 1,
      onFailure: () => undefined,
    });
    const traced = makeTestScope({ tracing: opened.tracing });
    const startSession = (_: StartSessionRequest, { traceparent }: CallContext) =>
      Promise.resolve(responseOf(traceparent ?? 'none'));
    const services = [implementService(SessionServiceService, { startSession })];
    const server = await openGrpcServer(traced, { host: '127.0.0.1', port: 0, services });
    const address = `127.0.0.1:${server.port}`;
    const peer = openGrpcClient(traced, SessionServiceService, { address, name: 'peer' });
    const traceOf = (traceparent: string | null) => traceparent?.split('-')[1];
    const requests = ['a', 'b', 'c'].map((appKey) =>
      opened.tracing.begin('request', {}, async () => {
        const { sessionToken } = await peer.startSession(requestOf(appKey));
        return [traceOf(sessionToken), traceOf(opened.tracing.traceparent())];
      }),
    );
    const pairs = await Promise.all(requests);
    await traced.close();
    for (const [served, own] of pairs) expect(served).to.be.a('string').and.to.equal(own);
    expect(new Set(pairs.map(([served]) => served)).size).to.equal(pairs.length);
  });

  describe('in a message to a server', () => {
    let raw: BatchServiceClient;
    beforeEach(() => {
      raw = new BatchServiceClient(`127.0.0.1:${port}`, credentials.createInsecure());
    });
    afterEach(() => raw.close());

    function member(given: Partial<Member>): Member {
      const request = SessionServiceService.startSession.requestSerialize(requestOf('a'));
      return { path: PATH, request, remainingMs: 1_000, requestId: '-', traceparent: '', id: 0, ...given };
    }

    async function send(members: readonly Member[]): Promise<Result[]> {
      const results: Result[] = [];
      const answers = raw.call({ members: [...members] }, new Metadata(), { deadline: Date.now() + 2_000 });
      for await (const answer of answers) results.push(...(answer as { results: Result[] }).results);
      return results.sort((a, b) => a.index - b.index);
    }

    it('are refused one by one, each for its own fault', async () => {
      const results = await send([
        member({}),
        member({ path: '/placard.session.v1.SessionService/Unknown' }),
        member({ path: '/placard.batch.v1.BatchService/Call' }),
        member({ request: Buffer.from([0xff]) }),
        member({ remainingMs: 10 }),
      ]);
      expect(results.map((result) => result.status)).to.deep.equal([
        status.OK,
        status.UNIMPLEMENTED,
        status.UNIMPLEMENTED,
        status.INTERNAL,
        status.DEADLINE_EXCEEDED,
      ]);
    });

    /** Sends members as {@link send} does, but on a stream. */
    async function exchange(...frames: readonly (readonly Member[])[]): Promise<Result[]> {
      const results: Result[] = [];
      const stream = raw.exchange(new Metadata(), { deadline: Date.now() + 2_000 });
      for (const members of frames) stream.write({ members: [...members], abandoned: [] });
      stream.end();
      for await (const answer of stream) results.push(...(answer as { results: Result[] }).results);
      return results.sort((a, b) => a.index - b.index);
    }

    it('are refused on a stream one by one, with their ids', async () => {
      const results = await exchange(
        [member({ id: 7 }), member({ id: 9, path: '/placard.batch.v1.BatchService/Exchange' })],
        [member({ id: 12, request: Buffer.from([0xff]) }), member({ id: 300, remainingMs: 10 })],
      );
      expect(results.map((result) => [result.index, result.status])).to.deep.equal([
        [7, status.OK],
        [9, status.UNIMPLEMENTED],
        [12, status.INTERNAL],
        [300, status.DEADLINE_EXCEEDED],
      ]);
    });

    it('are all answered before a stream ends', async () => {
      handler = (appKey) => new Promise((resolve) => setTimeout(resolve, 30, appKey));
      expect(await exchange([member({ id: 1 })], [member({ id: 2 })])).to.have.length(2);
    });

    it('are refused on a stream when they are more than 64', async () => {
      const full = (count: number) => Array.from({ length: count }, (_, id) => member({ id }));
      expect(await exchange(full(64), full(64))).to.have.length(128);
      const error: unknown = await exchange(full(65)).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', status.INVALID_ARGUMENT);
    });

    it('are refused when they are more than 64', async () => {
      const results = await send(Array.from({ length: 64 }, () => member({})));
      expect(results).to.have.length(64);
      const error: unknown = await send(Array.from({ length: 65 }, () => member({}))).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.have.property('code', status.INVALID_ARGUMENT);
    });
  });
});
