import { expect } from 'chai';
import { makeTestClock, makeTestTimers, type TestClock, type TestTimers } from '@placard/service-kit/testing';
import { PhoneClock } from './phone-clock.js';

const SPEED = 60;

describe("a phone's clock", () => {
  let real: TestClock;
  let timers: TestTimers;
  let clock: PhoneClock;
  beforeEach(() => {
    real = makeTestClock(0);
    timers = makeTestTimers(real);
    clock = new PhoneClock(SPEED, 0, { ...timers, now: () => real.now() });
  });

  it('runs faster than real time, and its timers with it', async () => {
    const rung: string[] = [];
    clock.after(30_000, () => rung.push('refresh'));
    const cancel = clock.after(1_000, () => rung.push('cancelled'));
    cancel();
    await timers.advance(499);
    expect(rung).to.deep.equal([]);
    await timers.advance(1);
    expect(rung).to.deep.equal(['refresh']);
    expect(clock.now()).to.equal(30_000);
  });

  it('runs as real time does while it is held, so the time budget of a call has its real length', async () => {
    const rung: string[] = [];
    const release = clock.hold();
    clock.after(1_500, () => rung.push('timeout'));
    await timers.advance(1_499);
    expect(rung).to.deep.equal([]);
    await timers.advance(1);
    expect(rung).to.deep.equal(['timeout']);
    expect(clock.now()).to.equal(1_500);
    release();
  });

  it('jumps, after the last of several holds, to where the clocks of other phones are', async () => {
    const [first, second] = [clock.hold(), clock.hold()];
    await timers.advance(100);
    first();
    first();
    await timers.advance(100);
    expect(clock.now()).to.equal(200);
    second();
    expect(clock.now()).to.equal(200 * SPEED);
  });

  it('keeps a span of real time between an accepted impression and a timer that is set after it', async () => {
    let ringsAtMs = 0;
    clock.holdFor(1_300);
    clock.after(1_100, () => (ringsAtMs = real.now()));
    await timers.advance(5_000);
    expect(ringsAtMs).to.equal(1_100);
  });
});
