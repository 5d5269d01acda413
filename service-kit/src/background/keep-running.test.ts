import { expect } from 'chai';
import { makeTestLog, makeTestScope, makeTestTimers, settle, type TestTimers } from '../testing/index.js';
import { keepRunning, type KeepRunningOptions } from './keep-running.js';

const SECOND_MS = 1_000;
/** The longest interval: nothing is taken off. */
const NO_CHANCE = { next: () => 0, bytes: (count: number) => new Uint8Array(count) };

describe('periodic work', () => {
  let timers: TestTimers;
  let log: ReturnType<typeof makeTestLog>;
  let scope: ReturnType<typeof makeTestScope>;
  let outcome: Promise<void>;
  let runs: boolean[];
  beforeEach(() => {
    timers = makeTestTimers();
    log = makeTestLog();
    scope = makeTestScope({ timers, log: log.log, random: NO_CHANCE });
    outcome = Promise.resolve();
    runs = [];
  });

  const start = (options: Partial<KeepRunningOptions> = {}) =>
    keepRunning(scope, {
      name: 'pruning',
      intervalMs: SECOND_MS,
      run: (isLast) => {
        runs.push(isLast);
        return outcome;
      },
      ...options,
    });
  const fail = (reason: string): void => {
    outcome = Promise.reject(new Error(reason));
    outcome.catch(() => undefined);
  };

  it('runs at its interval, for the first time after one', async () => {
    start();
    await timers.advance(999);
    expect(runs).to.have.length(0);
    await timers.advance(1);
    expect(runs).to.have.length(1);
    await timers.advance(3 * SECOND_MS);
    expect(runs).to.have.length(4);
  });

  it('runs at its start as well where that is wanted', async () => {
    start({ isRunAtStart: true });
    expect(runs).to.have.length(1);
    await timers.advance(SECOND_MS);
    expect(runs).to.have.length(2);
  });

  it('has intervals that chance shortens and never lengthens', async () => {
    scope = makeTestScope({ timers, random: { ...NO_CHANCE, next: () => 0.5 } });
    start({ jitter: 0.2 });
    expect(timers.waitsMs).to.deep.equal([900]);
    await timers.advance(900);
    expect(timers.waitsMs).to.deep.equal([900]);
    expect(runs).to.have.length(1);
  });

  it('never runs twice at a time, and goes on after a run that took long', async () => {
    let end = (): void => undefined;
    outcome = new Promise((resolve) => (end = resolve));
    start();
    await timers.advance(5 * SECOND_MS);
    expect(runs).to.have.length(1);
    end();
    await timers.advance(SECOND_MS);
    expect(runs).to.have.length(2);
  });

  it('logs an outage once with its reason, and once that it is over', async () => {
    start();
    fail('the store is away');
    await timers.advance(3 * SECOND_MS);
    outcome = Promise.resolve();
    await timers.advance(2 * SECOND_MS);
    fail('away again');
    await timers.advance(SECOND_MS);
    expect(runs).to.have.length(6);
    expect(log.lines).to.deep.equal([
      { level: 'warn', msg: 'pruning failed; it is tried again', reason: 'the store is away' },
      { level: 'info', msg: 'pruning works again' },
      { level: 'warn', msg: 'pruning failed; it is tried again', reason: 'away again' },
    ]);
  });

  it('has no warning of a start before its store, and one when it fails after the start as well', async () => {
    fail('not there yet');
    start({ isRunAtStart: true });
    await settle();
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['info']);
    await timers.advance(3 * SECOND_MS);
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['info', 'warn']);
  });

  it('takes what is thrown as a failure, and reports each failed run to whoever counts them', async () => {
    const failures: unknown[] = [];
    const error = new Error('thrown');
    start({
      run: () => {
        throw error;
      },
      onFailure: (reason) => failures.push(reason),
    });
    await timers.advance(2 * SECOND_MS);
    expect(failures).to.deep.equal([error, error]);
  });

  it('runs at once when it is asked to, and the next time an interval later', async () => {
    const work = start();
    await timers.advance(600);
    work.runNow();
    expect(runs).to.have.length(1);
    expect(timers.waitsMs).to.deep.equal([SECOND_MS]);
  });

  it('runs once more behind a run during which it was asked to, however often', async () => {
    let end = (): void => undefined;
    outcome = new Promise((resolve) => (end = resolve));
    const work = start({ isRunAtStart: true });
    for (let time = 0; time < 3; time += 1) work.runNow();
    expect(runs).to.have.length(1);
    outcome = Promise.resolve();
    end();
    await settle();
    expect(runs).to.have.length(2);
  });

  it('ends with its scope, which waits for the run that is under way', async () => {
    let end = (): void => undefined;
    outcome = new Promise((resolve) => (end = resolve));
    const work = start({ isRunAtStart: true });
    work.runNow();
    let isClosed = false;
    const closing = scope.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).to.equal(false);
    end();
    await closing;
    work.runNow();
    await timers.advance(5 * SECOND_MS);
    expect(runs).to.deep.equal([false]);
    expect(timers.waitsMs).to.deep.equal([]);
  });

  it('runs once more at the end where something would be left behind, and a failure then is logged always', async () => {
    start({ isRunAtEnd: true });
    fail('the store is away');
    await timers.advance(SECOND_MS);
    await scope.close();
    expect(runs).to.deep.equal([false, true]);
    expect(log.lines.at(-1)).to.deep.equal({
      level: 'warn',
      msg: 'pruning failed at the end; it is not tried again',
      reason: 'the store is away',
    });
    expect(log.lines).to.have.length(2);
  });
});
