import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { Abandonment, implementService, openGrpcClient, openGrpcServer } from '../src/grpc/index.js';
import { appError, toAppError, type ErrorCode } from '../src/process/errors.js';
import { makeTestScope, until, type TestScope } from '../src/testing/index.js';

const BUDGET_MS = 450;
/** The gateway's budget, and how long a phone waits for an ad by default. */
const [PHONE_BUDGET_MS, PHONE_MS] = [1_300, 1_000];
const REQUEST = { sessionId: 's', requestId: 'r', atMs: 1n };

describe('calls of a method that does not answer in time', () => {
  let scope: TestScope;
  let served: number;
  let isHung: boolean;
  let release: () => void;
  let address: string;
  let client: ReturnType<typeof clientWith>;

  function clientWith(budgetMs: number) {
    return openGrpcClient(scope, FraudServiceService, { address, name: 'fraud-service', budgetMs });
  }

  async function open(): Promise<void> {
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
    address = `127.0.0.1:${port}`;
  }

  beforeEach(async () => {
    scope = makeTestScope();
    served = 0;
    isHung = false;
    release = () => undefined;
    await open();
    client = clientWith(BUDGET_MS);
    await connect();
  });
  afterEach(async () => {
    release();
    await scope.close();
  });

  async function connect(): Promise<void> {
    // The first call opens the connection, which may take longer than its budget.
    await until(async () => (await codeOf(client.judgeAdRequest(REQUEST))) === 'ok');
    served = 0;
  }

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

  /** Makes two calls whose callers leave after that time. */
  async function leaveTwice(afterMs: number): Promise<void> {
    const phones = [new Abandonment(), new Abandonment()];
    const calls = phones.map((abandonment) => codeOf(client.judgeAdRequest(REQUEST, { abandonment })));
    await sleep(afterMs);
    for (const phone of phones) phone.abandon();
    expect(await Promise.all(calls)).to.deep.equal(['cancelled', 'cancelled']);
  }

  it('fail at once after callers have left that had waited in vain, like phones after a second', async () => {
    client = clientWith(PHONE_BUDGET_MS);
    await connect();
    isHung = true;
    await leaveTwice(PHONE_MS);
    expect(await codeOf(client.judgeAdRequest(REQUEST))).to.equal('unavailable');
    expect(served).to.equal(2);
    isHung = false;
    await until(async () => (await codeOf(client.judgeAdRequest(REQUEST))) === 'ok');
  });

  it('are sent on when their callers left early', async () => {
    client = clientWith(PHONE_BUDGET_MS);
    await connect();
    isHung = true;
    await leaveTwice(100);
    isHung = false;
    expect(await codeOf(client.judgeAdRequest(REQUEST))).to.equal('ok');
  });

  it('are sent on when their callers left while this process stood still', async () => {
    client = clientWith(PHONE_BUDGET_MS);
    await connect();
    isHung = true;
    const phones = [new Abandonment(), new Abandonment()];
    const calls = phones.map((abandonment) => codeOf(client.judgeAdRequest(REQUEST, { abandonment })));
    await until(() => served === 2);
    const stoodStillUntil = performance.now() + 600;
    while (performance.now() < stoodStillUntil);
    for (const phone of phones) phone.abandon();
    expect(await Promise.all(calls)).to.deep.equal(['cancelled', 'cancelled']);
    isHung = false;
    expect(await codeOf(client.judgeAdRequest(REQUEST))).to.equal('ok');
  });
});
