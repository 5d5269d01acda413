import { expect } from 'chai';
import fc from 'fast-check';
import { AdaptiveDoor, BURST_WAIT_MS_MAX, BUSY_WAIT_MS_MAX } from './adaptive-door.js';

/** Timers run when a test moves the time. */
class TestTime {
  #now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  isBusy(): boolean {
    return false;
  }

  runAt(at: number, run: () => void): void {
    this.#timers.push({ at, run });
  }

  move(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
  }
}

describe('an adaptive door', () => {
  let time: TestTime;
  let door: AdaptiveDoor;
  /** What became of the calls that had to wait, in order. */
  let turns: boolean[];

  beforeEach(() => {
    time = new TestTime();
    door = new AdaptiveDoor(2, () => false, time);
    turns = [];
  });

  function fill(): void {
    while (door.enter());
  }

  function wait(count = 1): void {
    for (let call = 0; call < count; call += 1) door.enterLater((isAdmitted) => turns.push(isAdmitted));
  }

  it('lets calls pass up to its limit', () => {
    fill();
    expect(door.running).to.equal(door.limit);
    expect(door.isClosed()).to.equal(false);
  });

  it('lets a waiting call begin when another ends', () => {
    fill();
    wait();
    door.leave(time.now(), null);
    expect(turns).to.deep.equal([true]);
    expect(door.running).to.equal(door.limit);
  });

  it('lets waiting calls begin in the order of their arrival, before new ones', () => {
    fill();
    const order: number[] = [];
    for (const call of [1, 2]) door.enterLater(() => order.push(call));
    expect(door.enter()).to.equal(false);
    door.leave(time.now(), null);
    door.leave(time.now(), null);
    expect(order).to.deep.equal([1, 2]);
  });

  it('refuses a call that has waited too long', () => {
    fill();
    wait(3);
    time.move(BURST_WAIT_MS_MAX + 1);
    expect(turns).to.deep.equal([false, false, false]);
    expect(door.waiting).to.equal(0);
  });

  it('lets calls wait for a shorter time when calls have had to wait all the time', () => {
    fill();
    for (let step = 0; step < 4; step += 1) {
      wait();
      time.move(BURST_WAIT_MS_MAX + 1);
    }
    turns = [];
    wait();
    time.move(BUSY_WAIT_MS_MAX + 1);
    expect(turns).to.deep.equal([false]);
    expect(door.isOverloaded()).to.equal(true);
    time.move(1_000);
    expect(door.isOverloaded()).to.equal(false);
  });

  it('does not call a short burst an overload', () => {
    fill();
    wait(10);
    expect(door.isOverloaded()).to.equal(false);
  });

  it('refuses a call at once when those before it will take longer than it may wait', () => {
    fill();
    wait(2_000);
    expect(door.isClosed()).to.equal(true);
    expect(turns.filter((isAdmitted) => !isAdmitted)).to.have.length(1_000);
  });

  it('never runs more calls than it allows, and ends each wait once, whatever happens', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('arrive' as const), count: fc.nat({ max: 300 }) }),
      fc.record({ kind: fc.constant('end' as const), count: fc.nat({ max: 300 }) }),
      fc.record({ kind: fc.constant('move' as const), count: fc.nat({ max: 100 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const clock = new TestTime();
        const fresh = new AdaptiveDoor(2, () => false, clock);
        const running: number[] = [];
        let arrived = 0;
        let begun = 0;
        let refused = 0;
        const begin = (): void => {
          begun += 1;
          running.push(clock.now());
          expect(fresh.running).to.be.at.most(fresh.limit);
        };
        for (const { kind, count } of steps) {
          if (kind === 'move') clock.move(count);
          for (let call = 0; kind === 'arrive' && call < count; call += 1) {
            arrived += 1;
            if (fresh.enter()) begin();
            else fresh.enterLater((isAdmitted) => (isAdmitted ? begin() : (refused += 1)));
          }
          for (let call = 0; kind === 'end' && call < count && running.length > 0; call += 1)
            fresh.leave(running.shift() ?? 0, 'answered');
          expect(fresh.running).to.equal(running.length);
          expect(begun + refused + fresh.waiting).to.equal(arrived);
        }
      }),
    );
  });
});
