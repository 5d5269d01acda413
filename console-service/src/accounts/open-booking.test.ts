import {
  makeTestClock,
  makeTestLog,
  makeTestScope,
  makeTestTimers,
  settle,
} from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openBooking } from './open-booking.js';

describe('the log of booking in the ledger', () => {
  const setUp = () => {
    const clock = makeTestClock(0);
    const { log, lines } = makeTestLog();
    const scope = makeTestScope({ clock, log, timers: makeTestTimers() });
    const outcomes = { isDone: true };
    const book = openBooking(scope, () => Promise.resolve(outcomes.isDone));
    const bookAt = async (seconds: number, isDone: boolean): Promise<void> => {
      clock.set(seconds * 1_000);
      outcomes.isDone = isDone;
      await book();
    };
    const logged = () => lines.map(({ level, msg }) => [level, msg]);
    return { logged, bookAt, close: () => scope.close() };
  };

  it('has no warning for a start before the ledger is there, and none when booking works again', async () => {
    const { logged, bookAt, close } = setUp();
    for (const seconds of [0, 10, 29]) await bookAt(seconds, false);
    for (const seconds of [30, 31]) await bookAt(seconds, true);
    await close();
    expect(logged()).to.deep.equal([
      ['info', 'deposits or adjustments wait'],
      ['info', 'all deposits and adjustments are booked'],
    ]);
  });

  it('has one warning per outage when bookings wait for half a minute', async () => {
    const { logged, bookAt, close } = setUp();
    for (const seconds of [0, 30, 60]) await bookAt(seconds, false);
    await bookAt(61, true);
    for (const seconds of [62, 93]) await bookAt(seconds, false);
    await close();
    const outage = [
      ['info', 'deposits or adjustments wait'],
      ['warn', 'deposits or adjustments still wait'],
    ];
    expect(logged()).to.deep.equal([
      ...outage,
      ['info', 'all deposits and adjustments are booked'],
      ...outage,
    ]);
  });
});

describe('booking in the ledger on demand', () => {
  it('shares the run of each second: calls during a run wait for one more, which books what came meanwhile', async () => {
    const timers = makeTestTimers();
    const scope = makeTestScope({ timers });
    const ends: (() => void)[] = [];
    const book = openBooking(scope, () => new Promise((resolve) => ends.push(() => resolve(true))));
    await timers.advance(1_000);
    expect(ends).to.have.length(1);
    const calls = [book(), book()];
    await settle();
    expect(ends).to.have.length(1);
    ends[0]!();
    await settle();
    expect(ends).to.have.length(2);
    ends[1]!();
    expect(await Promise.all(calls)).to.deep.equal([true, true]);
    await scope.close();
    expect(await book()).to.equal(false);
  });
});
