import { expect } from 'chai';
import { isClickTooSoon } from './click-delay.js';

describe('time between impression and click', () => {
  const table: readonly (readonly [delayMs: number, isTooSoon: boolean])[] = [
    [0, true],
    [999, true],
    [1_000, false],
    [1_001, false],
    [3_600_000, false],
    [-5, true], // the clocks of two instances differ
  ];
  for (const [delayMs, isTooSoon] of table) {
    it(`${isTooSoon ? 'rejects' : 'accepts'} a click ${delayMs} ms after its impression`, () => {
      const arrivals = { impressionArrivedAtMs: 50_000, arrivedAtMs: 50_000 + delayMs };
      expect(isClickTooSoon(arrivals, 1_000)).to.equal(isTooSoon);
    });
  }

  it('accepts a click with its impression when the least delay is 0', () => {
    expect(isClickTooSoon({ impressionArrivedAtMs: 7, arrivedAtMs: 7 }, 0)).to.equal(false);
  });
});
