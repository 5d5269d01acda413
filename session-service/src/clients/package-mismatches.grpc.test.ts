import type { RecordSuspiciousEventsRequest } from '@placard/protos/fraud/v1/fraud.js';
import { appError } from '@placard/service-kit';
import { asAppId } from '@placard/service-kit/pure';
import { makeTestScope, makeTestTimers, type TestScope, type TestTimers } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openPackageMismatches, WAITING_MAX } from './package-mismatches.grpc.js';

const AT_MS = 1_772_366_400_000;

/** A fake fraud-service. It answers as the test sets it and stores the calls. */
function makeFraud() {
  const taken: string[] = [];
  const batches: number[] = [];
  const state: { error: Error | null } = { error: null };
  const recordSuspiciousEvents = ({ events }: RecordSuspiciousEventsRequest) => {
    batches.push(events.length);
    if (state.error !== null) return Promise.reject(state.error);
    taken.push(...events.map(({ appId }) => appId));
    return Promise.resolve({});
  };
  return { taken, batches, state, client: { recordSuspiciousEvents } };
}

// How often a call is repeated, and what is dropped at the end: the tests of `openOutbox`.
describe('the report of package mismatches', () => {
  let timers: TestTimers;
  let scope: TestScope;
  let fraud: ReturnType<typeof makeFraud>;
  let droppedCount: number;
  beforeEach(() => {
    timers = makeTestTimers();
    scope = makeTestScope({ timers });
    fraud = makeFraud();
    droppedCount = 0;
  });
  afterEach(() => scope.close());

  const open = () =>
    openPackageMismatches(scope, { client: fraud.client, onDropped: (count) => (droppedCount += count) });
  const mismatch = (n: number) => ({ appId: asAppId(`app_${n}`), atMs: AT_MS });

  it('sends mismatches of the same turn in one call, in order', async () => {
    const mismatches = open();
    for (let n = 0; n < 5; n += 1) mismatches.report(mismatch(n));
    await timers.advance(0);
    expect(fraud.taken).to.deep.equal(['app_0', 'app_1', 'app_2', 'app_3', 'app_4']);
    expect(fraud.batches).to.deep.equal([5]);
  });

  it('returns at once while fraud-service is away, and repeats the call until it is accepted', async () => {
    const mismatches = open();
    fraud.state.error = appError('unavailable', 'away');
    mismatches.report(mismatch(1));
    await timers.advance(60_000);
    expect(fraud.batches).to.have.length(11);
    fraud.state.error = null;
    await timers.advance(10_000);
    expect(fraud.taken).to.deep.equal(['app_1']);
    expect(droppedCount).to.equal(0);
  });

  it('keeps a limited number and counts the dropped ones', async () => {
    const mismatches = open();
    fraud.state.error = appError('unavailable', 'away');
    for (let n = 0; n < WAITING_MAX + 3; n += 1) mismatches.report(mismatch(n));
    expect(droppedCount).to.equal(3);
    fraud.state.error = null;
    await timers.advance(10_000);
    expect(fraud.taken).to.have.length(WAITING_MAX);
    expect(Math.max(...fraud.batches)).to.be.at.most(200);
  });

  it('drops mismatches that fraud-service refuses as invalid', async () => {
    const mismatches = open();
    fraud.state.error = appError('invalid_argument', 'no');
    mismatches.report(mismatch(1));
    await timers.advance(60_000);
    expect(droppedCount).to.equal(1);
    expect(fraud.batches).to.have.length(1);
  });

  it('sends the remaining mismatches when the process ends, and drops later ones', async () => {
    const mismatches = open();
    mismatches.report(mismatch(1));
    await scope.close();
    expect(fraud.taken).to.deep.equal(['app_1']);
    mismatches.report(mismatch(2));
    expect(droppedCount).to.equal(1);
  });
});
