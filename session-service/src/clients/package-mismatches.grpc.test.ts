import { setImmediate } from 'node:timers/promises';
import type { RecordSuspiciousEventsRequest } from '@placard/protos/fraud/v1/fraud.js';
import { appError } from '@placard/service-kit';
import { asAppId } from '@placard/service-kit/pure';
import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openPackageMismatches, WAITING_MAX } from './package-mismatches.grpc.js';

const AT_MS = 1_772_366_400_000;

/** A fake fraud-service. It answers as the test sets it and stores the calls. */
function makeFraud() {
  const taken: string[] = [];
  const batches: number[] = [];
  const state: { error: Error | null; held: Promise<void> | null } = { error: null, held: null };
  const recordSuspiciousEvents = async ({ events }: RecordSuspiciousEventsRequest) => {
    batches.push(events.length);
    await state.held;
    if (state.error !== null) throw state.error;
    taken.push(...events.map(({ appId }) => appId));
    return {};
  };
  return { taken, batches, state, client: { recordSuspiciousEvents } };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

describe('the report of package mismatches', () => {
  let scope: TestScope;
  let fraud: ReturnType<typeof makeFraud>;
  let droppedCount: number;
  let waitsMs: number[];
  let goOn: () => void;
  beforeEach(() => {
    scope = makeTestScope();
    fraud = makeFraud();
    droppedCount = 0;
    waitsMs = [];
    goOn = () => undefined;
  });
  afterEach(() => scope.close());

  const open = () =>
    openPackageMismatches(scope, {
      client: fraud.client,
      onDropped: (count) => (droppedCount += count),
      wait: (ms, signal) => {
        waitsMs.push(ms);
        return new Promise<void>((resolve, reject) => {
          goOn = resolve;
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
    });
  const mismatch = (n: number) => ({ appId: asAppId(`app_${n}`), atMs: AT_MS });

  it('sends mismatches of the same turn in one call, in order', async () => {
    const mismatches = open();
    fraud.state.held = setImmediate();
    for (let n = 0; n < 5; n += 1) mismatches.report(mismatch(n));
    await settle();
    expect(fraud.taken).to.deep.equal(['app_0', 'app_1', 'app_2', 'app_3', 'app_4']);
    expect(fraud.batches).to.have.length.at.most(2);
  });

  it('returns at once while fraud-service is away, and repeats the call with growing pauses', async () => {
    const mismatches = open();
    fraud.state.error = appError('unavailable', 'away');
    mismatches.report(mismatch(1));
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await settle();
      goOn();
    }
    await settle();
    expect(waitsMs).to.deep.equal([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    fraud.state.error = null;
    goOn();
    await settle();
    expect(fraud.taken).to.deep.equal(['app_1']);
    expect(droppedCount).to.equal(0);
  });

  it('keeps a limited number and counts the dropped ones', async () => {
    const mismatches = open();
    fraud.state.error = appError('unavailable', 'away');
    for (let n = 0; n < WAITING_MAX + 3; n += 1) mismatches.report(mismatch(n));
    await settle();
    expect(droppedCount).to.equal(3);
    fraud.state.error = null;
    goOn();
    await settle();
    expect(fraud.taken).to.have.length(WAITING_MAX);
    expect(Math.max(...fraud.batches)).to.be.at.most(200);
  });

  it('drops mismatches that fraud-service refuses as invalid', async () => {
    const mismatches = open();
    fraud.state.error = appError('invalid_argument', 'no');
    mismatches.report(mismatch(1));
    await settle();
    expect(droppedCount).to.equal(1);
    expect(waitsMs).to.deep.equal([]);
  });

  it('sends the remaining mismatches when the process ends', async () => {
    const mismatches = open();
    fraud.state.error = appError('unavailable', 'away');
    mismatches.report(mismatch(1));
    await settle();
    fraud.state.error = null;
    await scope.close();
    expect(fraud.taken).to.deep.equal(['app_1']);
    mismatches.report(mismatch(2));
    expect(droppedCount).to.equal(1);
  });

  it('waits at the end of the process for the call that runs, and sends nothing twice', async () => {
    const mismatches = open();
    let answer: () => void = () => undefined;
    fraud.state.held = new Promise<void>((resolve) => (answer = resolve));
    mismatches.report(mismatch(1));
    await settle();
    const closed = scope.close();
    await settle();
    answer();
    await closed;
    expect(fraud.taken).to.deep.equal(['app_1']);
    expect(fraud.batches).to.have.length(1);
    expect(droppedCount).to.equal(0);
  });

  it('does not delay the end of the process', async () => {
    const mismatches = open();
    fraud.state.error = appError('unavailable', 'away');
    mismatches.report(mismatch(1));
    await settle();
    await scope.close();
    expect(droppedCount).to.equal(1);
  });
});
