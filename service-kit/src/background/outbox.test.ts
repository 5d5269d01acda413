import { expect } from 'chai';
import { appError } from '../process/errors.js';
import { makeTestLog, makeTestScope, makeTestTimers, settle, type TestTimers } from '../testing/index.js';
import { openOutbox, type OutboxOptions } from './outbox.js';

const FAR_MS = 100_000;

describe('an outbox', () => {
  let timers: TestTimers;
  let log: ReturnType<typeof makeTestLog>;
  let scope: ReturnType<typeof makeTestScope>;
  let groups: (readonly number[])[];
  let taken: number[];
  let dropped: number[];
  /** What comes of the next groups. */
  let answer: () => Promise<void>;
  beforeEach(() => {
    timers = makeTestTimers();
    log = makeTestLog();
    scope = makeTestScope({ timers, log: log.log });
    [groups, taken, dropped] = [[], [], []];
    answer = () => Promise.resolve();
  });

  const open = (options: Partial<OutboxOptions<number>> = {}) =>
    openOutbox<number>(scope, {
      name: 'reporting',
      send: async (items) => {
        groups.push(items);
        await answer();
        taken.push(...items);
      },
      itemsMax: 4,
      groupMax: 3,
      gapMs: 100,
      retryMsMin: 250,
      retryMsMax: 1_000,
      onDropped: (items) => dropped.push(items),
      ...options,
    });
  const down = (): Promise<void> => Promise.reject(new Error('down'));

  it('sends what was pushed within the gap together, in order and in bounded groups', async () => {
    const outbox = open();
    outbox.push(1, 2);
    await timers.advance(99);
    outbox.push(3, 4);
    expect(groups).to.deep.equal([]);
    await timers.advance(1);
    expect(groups).to.deep.equal([[1, 2, 3]]);
    await timers.advance(100);
    expect(groups).to.deep.equal([[1, 2, 3], [4]]);
    expect(outbox.waitingCount).to.equal(0);
    expect(timers.waitsMs).to.deep.equal([]);
  });

  it('sends one group at a time', async () => {
    let end = (): void => undefined;
    answer = () => new Promise((resolve) => (end = resolve));
    const outbox = open();
    outbox.push(1);
    await timers.advance(100);
    outbox.push(2);
    await timers.advance(FAR_MS);
    expect(groups).to.deep.equal([[1]]);
    end();
    await timers.advance(100);
    expect(groups).to.deep.equal([[1], [2]]);
  });

  it('tries a group that failed again, ever more rarely up to a bound, until it is taken', async () => {
    answer = down;
    const outbox = open();
    outbox.push(1);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      waits.push(timers.waitsMs[0]!);
      await timers.advance(timers.waitsMs[0]!);
    }
    expect(waits).to.deep.equal([100, 250, 500, 1_000, 1_000]);
    answer = () => Promise.resolve();
    await timers.advance(FAR_MS);
    expect(taken).to.deep.equal([1]);
    expect(dropped).to.deep.equal([]);
    answer = down;
    outbox.push(2);
    await timers.advance(100);
    expect(timers.waitsMs).to.deep.equal([250]);
  });

  it('holds a bounded number of items: the oldest are dropped and counted', async () => {
    answer = down;
    const outbox = open();
    outbox.push(1, 2, 3, 4, 5, 6);
    expect(dropped).to.deep.equal([2]);
    expect(outbox.waitingCount).to.equal(4);
    await timers.advance(100);
    expect(groups).to.deep.equal([[3, 4, 5]]);
  });

  it('drops no item that is being sent', async () => {
    let end = (): void => undefined;
    answer = () => new Promise((resolve) => (end = resolve));
    const outbox = open();
    outbox.push(1, 2, 3);
    await timers.advance(100);
    outbox.push(4, 5);
    expect(dropped).to.deep.equal([1]);
    expect(outbox.waitingCount).to.equal(4);
    end();
    await timers.advance(100);
    end();
    await settle();
    expect(taken).to.deep.equal([1, 2, 3, 5]);
  });

  it('drops what the receiver would refuse again, counts it and logs it as an error once in a row', async () => {
    answer = () => Promise.reject(appError('invalid_argument', 'no'));
    const outbox = open();
    for (const item of [1, 2]) {
      outbox.push(item);
      await timers.advance(100);
    }
    expect(dropped).to.deep.equal([1, 1]);
    expect(timers.waitsMs).to.deep.equal([]);
    expect(log.lines).to.deep.equal([
      {
        level: 'error',
        msg: 'reporting was refused; the items are dropped',
        reason: 'invalid_argument: no',
      },
    ]);
  });

  it('logs an outage of the receiver once with its reason, and once that it is over', async () => {
    answer = down;
    const outbox = open();
    outbox.push(1);
    await timers.advance(FAR_MS);
    answer = () => Promise.resolve();
    await timers.advance(FAR_MS);
    expect(log.lines).to.deep.equal([
      { level: 'warn', msg: 'reporting failed; it is tried again', reason: 'down' },
      { level: 'info', msg: 'reporting works again' },
    ]);
  });

  it('sends everything at the end, without a gap; what comes later is dropped and counted', async () => {
    const outbox = open();
    outbox.push(1, 2, 3, 4);
    await scope.close();
    expect(taken).to.deep.equal([1, 2, 3, 4]);
    outbox.push(5);
    expect(dropped).to.deep.equal([1]);
    expect(timers.waitsMs).to.deep.equal([]);
  });

  it('tries once at the end; what the receiver does not take then is dropped, counted and logged', async () => {
    answer = down;
    const outbox = open();
    outbox.push(1, 2, 3, 4);
    await scope.close();
    expect(groups).to.have.length(1);
    expect(dropped).to.deep.equal([4]);
    expect(log.lines.at(-1)).to.deep.equal({
      level: 'warn',
      msg: 'reporting ended before everything was sent',
    });
  });

  it('does not hold up the end for a receiver that does not answer', async () => {
    answer = () => new Promise(() => undefined);
    const outbox = open({ closeMsMax: 500 });
    outbox.push(1, 2, 3, 4);
    await timers.advance(100);
    const closing = scope.close();
    await timers.advance(500);
    await closing;
    expect(dropped).to.deep.equal([4]);
  });
});
