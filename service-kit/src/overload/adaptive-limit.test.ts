import { expect } from 'chai';
import fc from 'fast-check';
import { AdaptiveLimit, LIMIT_MAX, type CallResult } from './adaptive-limit.js';

const MIN = 8;
let isBusy = false;
const RULES = { tolerance: 2, min: () => MIN, isBusy: () => isBusy };
/** Enough calls for a window, over enough time. */
const CALLS = 20;
const WINDOW_MS = 200;

/** A limit and its clock. */
class Bed {
  readonly limit = new AdaptiveLimit(RULES, 0);
  now = 0;

  /** Plays windows in which `running` calls at a time take `ms` each. */
  windows(
    count: number,
    ms: number,
    { running = 1_000, result = 'answered' }: { running?: number; result?: CallResult } = {},
  ): void {
    for (let index = 0; index < count; index += 1) {
      this.limit.begin(Math.min(running, this.limit.current));
      if (running > this.limit.current) this.limit.exceed();
      this.now += Math.max(ms, WINDOW_MS);
      for (let call = 0; call < CALLS; call += 1) this.limit.end(this.now - ms, this.now, result);
    }
  }
}

describe('an adaptive limit', () => {
  it('grows while it is used and calls are as fast as usual', () => {
    const bed = new Bed();
    const before = bed.limit.current;
    bed.windows(5, 10);
    expect(bed.limit.current).to.be.above(before);
  });

  it('stays where it is while few calls run', () => {
    const bed = new Bed();
    const before = bed.limit.current;
    bed.windows(50, 10, { running: 3 });
    expect(bed.limit.current).to.equal(before);
  });

  it('shrinks by the ratio of the latencies when calls take longer than tolerated', () => {
    const bed = new Bed();
    bed.windows(5, 10);
    const before = bed.limit.current;
    bed.windows(1, 40);
    expect(bed.limit.current).to.be.within(before / 2 - 2, before / 2 + 2);
  });

  it('ignores latencies of a few milliseconds', () => {
    const bed = new Bed();
    bed.windows(5, 1);
    const before = bed.limit.current;
    bed.windows(1, 7);
    expect(bed.limit.current).to.be.at.least(before);
  });

  it('shrinks when a peer refuses calls', () => {
    const bed = new Bed();
    bed.windows(5, 10);
    const before = bed.limit.current;
    bed.windows(3, 10, { result: 'refused' });
    expect(bed.limit.current).to.be.below(before);
  });

  it('does not take the wait for a peer that does not answer for the usual latency', () => {
    const bed = new Bed();
    bed.windows(20, 10);
    bed.windows(100, 1_000, { result: 'failed' });
    expect(bed.limit.current).to.equal(MIN);
    bed.windows(30, 10);
    const grown = bed.limit.current;
    bed.windows(1, 40);
    expect(bed.limit.current).to.be.below(0.6 * grown);
  });

  it('does not get used to the latency of its own overload', () => {
    const bed = new Bed();
    bed.windows(20, 10);
    for (let minute = 0; minute < 600; minute += 1) {
      bed.limit.exceed();
      bed.windows(1, 19);
    }
    const before = bed.limit.current;
    bed.windows(1, 40);
    expect(bed.limit.current).to.be.at.most(before / 2 + 1);
  });

  it('does not get used to the latency of a busy process, not even at its minimum', () => {
    const bed = new Bed();
    bed.windows(20, 10);
    isBusy = true;
    bed.windows(600, 500);
    expect(bed.limit.current).to.equal(MIN);
    isBusy = false;
    bed.windows(600, 500);
    expect(bed.limit.current).to.be.above(MIN);
  });

  it('is always between its bounds, whatever calls do', () => {
    const window = fc.record({
      count: fc.nat({ max: 5 }),
      ms: fc.double({ min: 0, max: 10_000, noNaN: true }),
      running: fc.nat({ max: 2_000 }),
      result: fc.constantFrom<CallResult>('answered', 'failed', 'refused'),
    });
    fc.assert(
      fc.property(fc.array(window, { maxLength: 50 }), (windows) => {
        const bed = new Bed();
        for (const { count, ms, running, result } of windows) {
          bed.windows(count, ms, { running, result });
          expect(bed.limit.current).to.be.within(MIN, LIMIT_MAX);
        }
      }),
    );
  });
});
