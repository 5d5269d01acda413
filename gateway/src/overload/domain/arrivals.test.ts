import { expect } from 'chai';
import { Arrivals, BEAT_MS } from './arrivals.js';

describe('arrivals', () => {
  it('are now while the event loop is not blocked', () => {
    const arrivals = new Arrivals(0);
    for (let now = BEAT_MS; now <= 1_000; now += BEAT_MS) {
      arrivals.beat(now);
      expect(arrivals.earliest(now)).to.equal(now);
      expect(arrivals.earliest(now + BEAT_MS - 1)).to.equal(now + BEAT_MS - 1);
    }
  });

  it('are as early as the begin of the block after the event loop was blocked', () => {
    const arrivals = new Arrivals(0);
    arrivals.beat(BEAT_MS);
    arrivals.beat(500);
    expect(arrivals.earliest(501)).to.equal(2 * BEAT_MS);
  });

  it('are now again one beat later', () => {
    const arrivals = new Arrivals(0);
    arrivals.beat(500);
    arrivals.beat(500 + BEAT_MS);
    expect(arrivals.earliest(511)).to.equal(511);
  });
});
