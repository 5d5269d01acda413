import { expect } from 'chai';
import { isWindowFull } from '../limit.js';
import { clicksPerHour } from './clicks-per-hour.js';

describe('clicks per session per hour', () => {
  it('lets the twentieth pass and not the twenty-first', () => {
    expect(isWindowFull(clicksPerHour(20), 19)).to.equal(false);
    expect(isWindowFull(clicksPerHour(20), 20)).to.equal(true);
  });

  it('counts the clicks of a rolling hour', () => {
    expect(clicksPerHour(20)).to.deep.include({ counter: 'clicks', windowMs: 3_600_000 });
  });
});
