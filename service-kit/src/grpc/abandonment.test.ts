import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { expect } from 'chai';
import { AD_REQUEST, codeOf, makeTestScope, until, type TestScope } from '../testing/index.js';
import { Abandonment } from './abandonment.js';
import type { CallContext } from './call-context.js';
import { openGrpcClient } from './client.js';
import { implementService, type RpcClient } from './definitions.js';
import { openGrpcServer } from './server.js';

describe('a call whose caller leaves', () => {
  let scope: TestScope;
  let serverScope: TestScope;
  let address: string;
  let client: RpcClient<ServingServiceService>;
  /** What the calls hold, by request id. */
  let held: Set<string>;
  let begun: number;
  let finish: () => void;
  let finished: Promise<void>;

  beforeEach(async () => {
    scope = makeTestScope();
    serverScope = makeTestScope({ name: 'server' });
    held = new Set();
    begun = 0;
    finished = new Promise((resolve) => (finish = resolve));
    const requestAd = async (_: unknown, call: CallContext) => {
      begun += 1;
      await finished;
      held.add(call.requestId);
      call.abandonment?.onAbandoned(() => held.delete(call.requestId));
      return { requestId: call.requestId, result: undefined };
    };
    const services = [implementService(ServingServiceService, { requestAd, commitReservations: () => ({}) })];
    const { port } = await openGrpcServer(serverScope, { host: '127.0.0.1', port: 0, services });
    address = `127.0.0.1:${port}`;
    client = openGrpcClient(scope, ServingServiceService, {
      address,
      name: 'peer',
      budgetMs: 3_000,
    });
    await client.commitReservations({ outcomes: [] });
  });

  afterEach(async () => {
    finish();
    await scope.close();
    await serverScope.close();
  });

  function ask(requestId: string, more: Partial<CallContext> = {}): Promise<unknown> {
    return codeOf(client.requestAd(AD_REQUEST, { requestId, ...more }));
  }

  it('ends at once, and gives back what it holds when its work ends', async () => {
    const abandonment = new Abandonment();
    const left = ask('left', { abandonment });
    const stays = ask('stays');
    await until(() => begun === 2);
    abandonment.abandon();
    expect(await left).to.equal('cancelled');
    await client.commitReservations({ outcomes: [] });
    finish();
    expect(await stays).to.equal(null);
    expect([...held]).to.deep.equal(['stays']);
  });

  it('gives back what it holds when its answer is on the way', async () => {
    const abandonment = new Abandonment();
    const left = ask('left', { abandonment });
    await until(() => begun === 1);
    finish();
    // The server has answered in this turn. The answer is not read before the next one.
    await finished.then(() => undefined);
    abandonment.abandon();
    expect(await left).to.equal('cancelled');
    await until(() => held.size === 0);
  });

  it('gives back what it holds when the caller has no time left', async () => {
    const late = ask('late', { deadlineAt: Date.now() + 150 });
    const stays = ask('stays');
    expect(await late).to.equal('deadline_exceeded');
    await client.commitReservations({ outcomes: [] });
    finish();
    expect(await stays).to.equal(null);
    expect([...held]).to.deep.equal(['stays']);
  });

  it('is not sent when the caller has left before', async () => {
    const abandonment = new Abandonment();
    abandonment.abandon();
    expect(await ask('left', { abandonment })).to.equal('cancelled');
    await client.commitReservations({ outcomes: [] });
    expect(begun).to.equal(0);
  });

  it('keeps what it holds when its answer was received', async () => {
    finish();
    const abandonment = new Abandonment();
    expect(await ask('received', { abandonment })).to.equal(null);
    abandonment.abandon();
    await client.commitReservations({ outcomes: [] });
    expect([...held]).to.deep.equal(['received']);
  });

  it('keeps what it holds after its answer, also when it came in a message of its own', async () => {
    finish();
    const { path, requestSerialize, responseDeserialize } = ServingServiceService.requestAd;
    const plain = new Client(address, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('x-request-id', 'alone');
    await new Promise<void>((resolve, reject) => {
      plain.makeUnaryRequest(path, requestSerialize, responseDeserialize, AD_REQUEST, metadata, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
    plain.close();
    await client.commitReservations({ outcomes: [] });
    expect([...held]).to.deep.equal(['alone']);
  });
});
