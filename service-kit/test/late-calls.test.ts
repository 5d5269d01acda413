import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { expect } from 'chai';
import { implementService, openGrpcClient, openGrpcServer } from '../src/grpc/index.js';
import { appError, toAppError, type ErrorCode } from '../src/process/errors.js';
import { makeTestScope, until, type TestScope } from '../src/testing/index.js';

const BUDGET_MS = 450;
const REQUEST = { sessionId: 's', requestId: 'r', atMs: 1n };

describe('calls of a method that does not answer in time', () => {
  let scope: TestScope;
  let served: number;
  let isHung: boolean;
  let release: () => void;
  let client: Awaited<ReturnType<typeof open>>;

  async function open() {
    const { port } = await openGrpcServer(scope, {
      host: '127.0.0.1',
      port: 0,
      services: [
        implementService(FraudServiceService, {
          judgeAdRequest: async () => {
            served += 1;
            if (isHung) await new Promise<void>((resolve) => (release = resolve));
            return { passes: true };
          },
          judgeEvents: () => {
            served += 1;
            throw appError('unavailable', 'The fraud counters cannot be reached.');
          },
          recordSuspiciousEvents: () => Promise.resolve({}),
          findSuspiciousEvents: () => Promise.resolve({ events: [] }),
          countSuspiciousEvents: () => Promise.resolve({ rows: [], rowsLeftOut: 0n }),
        }),
      ],
    });
    return openGrpcClient(scope, FraudServiceService, {
      address: `127.0.0.1:${port}`,
      name: 'fraud-service',
      budgetMs: BUDGET_MS,
    });
  }

  beforeEach(async () => {
    scope = makeTestScope();
    served = 0;
    isHung = false;
    release = () => undefined;
    client = await open();
    // The first call opens the connection, which may take longer than its budget.
    await until(async () => (await codeOf(client.judgeAdRequest(REQUEST))) === 'ok');
    served = 0;
  });
  afterEach(async () => {
    release();
    await scope.close();
  });

  const codeOf = (call: Promise<unknown>): Promise<ErrorCode | 'ok'> =>
    call.then(
      () => 'ok' as const,
      (error: unknown) => toAppError(error).code,
    );

  const hangTwice = async (): Promise<void> => {
    const late = [client.judgeAdRequest(REQUEST), client.judgeAdRequest(REQUEST)];
    expect(await Promise.all(late.map(codeOf))).to.deep.equal(['deadline_exceeded', 'deadline_exceeded']);
  };

  it('fail at once and are not sent, until a trial is answered', async () => {
    isHung = true;
    await hangTwice();
    const refused = Array.from({ length: 50 }, () => codeOf(client.judgeAdRequest(REQUEST)));
    expect(new Set(await Promise.all(refused))).to.deep.equal(new Set(['unavailable']));
    expect(served).to.equal(2);
    isHung = false;
    await until(async () => (await codeOf(client.judgeAdRequest(REQUEST))) === 'ok');
    expect(await codeOf(client.judgeAdRequest(REQUEST))).to.equal('ok');
  });

  it('do not keep other methods of the peer from being called', async () => {
    isHung = true;
    await hangTwice();
    expect(await codeOf(client.recordSuspiciousEvents({ events: [] }))).to.equal('ok');
  });

  it('are sent on when they fail at once, because errors cost no time', async () => {
    for (let call = 0; call < 50; call += 1)
      expect(await codeOf(client.judgeEvents({ events: [] }))).to.equal('unavailable');
    expect(served).to.equal(50);
  });

  it('are sent on when they were late because their caller had little time', async () => {
    isHung = true;
    const short = { deadlineAt: Date.now() + 100 };
    const late = [client.judgeAdRequest(REQUEST, short), client.judgeAdRequest(REQUEST, short)];
    expect(await Promise.all(late.map(codeOf))).to.deep.equal(['deadline_exceeded', 'deadline_exceeded']);
    isHung = false;
    expect(await codeOf(client.judgeAdRequest(REQUEST))).to.equal('ok');
  });
});
