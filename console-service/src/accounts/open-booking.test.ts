import { makeLogger } from '@placard/service-kit';
import { makeTestClock, makeTestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openBooking } from './open-booking.js';

const WARNING = 40;
const INFO = 30;

describe('the log of booking in the ledger', () => {
  const setUp = () => {
    const clock = makeTestClock(0);
    const lines: (readonly [level: number, msg: string])[] = [];
    const log = makeLogger('test', 'info', {
      destination: {
        write(line) {
          const { level, msg } = JSON.parse(line) as { readonly level: number; readonly msg: string };
          lines.push([level, msg]);
        },
      },
    });
    const scope = makeTestScope({ clock });
    const outcomes = { isDone: true };
    const book = openBooking({ ...scope, log }, () => Promise.resolve(outcomes.isDone));
    const bookAt = async (seconds: number, isDone: boolean): Promise<void> => {
      clock.set(seconds * 1_000);
      outcomes.isDone = isDone;
      await book();
    };
    return { lines, bookAt, close: () => scope.close() };
  };

  it('has no warning for a start before the ledger is there, and none when booking works again', async () => {
    const { lines, bookAt, close } = setUp();
    for (const seconds of [0, 10, 29]) await bookAt(seconds, false);
    for (const seconds of [30, 31]) await bookAt(seconds, true);
    await close();
    expect(lines).to.deep.equal([
      [INFO, 'deposits or adjustments wait'],
      [INFO, 'all deposits and adjustments are booked'],
    ]);
  });

  it('has one warning per outage when bookings wait for half a minute', async () => {
    const { lines, bookAt, close } = setUp();
    for (const seconds of [0, 30, 60]) await bookAt(seconds, false);
    await bookAt(61, true);
    for (const seconds of [62, 93]) await bookAt(seconds, false);
    await close();
    const outage = [
      [INFO, 'deposits or adjustments wait'],
      [WARNING, 'deposits or adjustments still wait'],
    ];
    expect(lines).to.deep.equal([...outage, [INFO, 'all deposits and adjustments are booked'], ...outage]);
  });
});
