import { expect } from 'chai';
import { BreakerState, PAUSE_MS_MIN, TRIAL_MS_MAX, WINDOW_CALLS_MIN, WINDOW_MS } from './breaker-state.js';
import type { Attempt } from './breaker-state.js';

const LIMIT_MS = 400;
const PAUSE_MS_MAX = 1_000;

describe('the state of a breaker', () => {
  let state: BreakerState;
  let now: number;
  beforeEach(() => {
    state = new BreakerState(PAUSE_MS_MAX);
    now = 1_000_000;
  });

  const begin = (): Attempt => {
    const attempt = state.admit(now);
    if (attempt === null) throw new Error('the call was refused');
    return attempt;
  };
  /** Makes a call that ends `ms` later, in time. */
  const answer = (ms = 1): boolean => {
    const attempt = begin();
    now += ms;
    return state.inTime(attempt, now);
  };
  /** Makes a call that reaches its limit and ends there without an answer. */
  const hang = (): boolean => {
    const attempt = begin();
    now += LIMIT_MS;
    const isOpened = state.late(attempt, now);
    state.release(attempt, false, now);
    return isOpened;
  };

  /** Opens the breaker with as many late calls as that takes. */
  const open = (): void => {
    while (!hang());
  };

  it('admits every call while they end in time', () => {
    for (let call = 0; call < 100; call += 1) expect(answer(LIMIT_MS - 1)).to.equal(false);
    expect(state.admits(now)).to.equal(true);
  });

  it('opens when two calls in a row are late and none has ended in time since they began', () => {
    answer();
    expect(hang()).to.equal(false);
    expect(hang()).to.equal(true);
    expect(state.admit(now)).to.equal(null);
  });

  it('stays closed when each late call is followed by one that ends in time', () => {
    for (let turn = 0; turn < WINDOW_CALLS_MIN; turn += 1) {
      expect(hang()).to.equal(false);
      answer();
      answer();
    }
  });

  it('opens once for all calls that hang at the same time', () => {
    const [first, second, third] = [begin(), begin(), begin()];
    now += LIMIT_MS;
    expect(state.late(first, now)).to.equal(false);
    expect(state.late(second, now)).to.equal(true);
    expect(state.late(third, now)).to.equal(false);
  });

  it('stays closed when a call is late beside others that end in time', () => {
    const lost = begin();
    now += LIMIT_MS - 1;
    answer();
    expect(state.late(lost, now)).to.equal(false);
    expect(state.admits(now)).to.equal(true);
  });

  it('stays closed when one call in a hundred is late', () => {
    for (let call = 0; call < 1_000; call += 1) {
      const lost = call % 100 === 0 ? begin() : null;
      answer();
      if (lost !== null) expect(state.late(lost, now)).to.equal(false);
    }
  });

  /** Half of the calls hang beside the others. Returns after how many calls the breaker opens. */
  const hangHalf = (gapMs: number): number | null => {
    for (let calls = 2; calls <= 200; calls += 2) {
      const lost = begin();
      answer();
      if (state.late(lost, now)) return calls;
      now += gapMs;
    }
    return null;
  };

  it('opens when half of the calls in the window are late', () => {
    expect(hangHalf(1)).to.equal(WINDOW_CALLS_MIN);
  });

  it('stays closed while the window has too few calls for a share', () => {
    expect(hangHalf((WINDOW_MS / WINDOW_CALLS_MIN) * 4)).to.equal(null);
  });

  it('forgets calls that are older than the window', () => {
    for (let call = 0; call < WINDOW_CALLS_MIN; call += 1) answer();
    now += WINDOW_MS + 1_000;
    expect(hangHalf(1)).to.equal(WINDOW_CALLS_MIN);
  });

  it('admits one trial after a pause, and no other call while it runs', () => {
    open();
    now += PAUSE_MS_MIN - 1;
    expect(state.admits(now)).to.equal(false);
    now += 1;
    expect(state.admits(now)).to.equal(true);
    begin();
    expect(state.admits(now)).to.equal(false);
    now += LIMIT_MS;
    expect(state.admit(now)).to.equal(null);
  });

  it('closes when the trial ends in time', () => {
    open();
    now += PAUSE_MS_MIN;
    expect(answer()).to.equal(true);
    expect(answer()).to.equal(false);
  });

  it('forgets the late calls when it closes', () => {
    hangHalf(1);
    now += PAUSE_MS_MIN;
    answer();
    expect(hangHalf(1)).to.equal(WINDOW_CALLS_MIN);
  });

  it('does not close for a call that began before it opened', () => {
    const slow = begin();
    now += 1;
    open();
    expect(state.inTime(slow, now)).to.equal(false);
    expect(state.admits(now)).to.equal(false);
  });

  it('doubles the pause after each trial that hangs, up to its maximum', () => {
    open();
    const pauses: number[] = [];
    for (let trial = 0; trial < 5; trial += 1) {
      const endedAt = now;
      while (!state.admits(now)) now += 1;
      pauses.push(now - endedAt);
      hang();
    }
    expect(pauses).to.deep.equal([200, 200, 400, 800, 1_000]);
  });

  it('begins with the shortest pause each time it opens', () => {
    open();
    for (let trial = 0; trial < 5; trial += 1) {
      now += PAUSE_MS_MAX;
      hang();
    }
    now += PAUSE_MS_MAX;
    answer();
    open();
    now += PAUSE_MS_MIN;
    expect(state.admits(now)).to.equal(true);
  });

  it('keeps the next trial back until the last one has ended', () => {
    open();
    now += PAUSE_MS_MIN;
    const trial = begin();
    now += LIMIT_MS;
    state.late(trial, now);
    now += PAUSE_MS_MAX;
    expect(state.admits(now)).to.equal(false);
    state.release(trial, false, now);
    now += PAUSE_MS_MAX;
    expect(state.admits(now)).to.equal(true);
  });

  it('tries again at once when a late trial is answered after all', () => {
    open();
    now += PAUSE_MS_MIN;
    const trial = begin();
    now += LIMIT_MS;
    state.late(trial, now);
    state.release(trial, true, now);
    expect(state.admits(now)).to.equal(true);
    expect(answer()).to.equal(true);
  });

  it('does not wait forever for a trial that never ends', () => {
    open();
    now += PAUSE_MS_MIN;
    begin();
    now += TRIAL_MS_MAX;
    expect(answer()).to.equal(true);
  });
});
