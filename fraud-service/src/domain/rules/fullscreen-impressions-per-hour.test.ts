import { expect } from 'chai';
import { isWindowFull } from '../limit.js';
import { fullscreenImpressionsPerHour } from './fullscreen-impressions-per-hour.js';

describe('impressions per full-screen placement per session per hour', () => {
  it('lets the sixtieth pass and not the sixty-first', () => {
    expect(isWindowFull(fullscreenImpressionsPerHour(60), 59)).to.equal(false);
    expect(isWindowFull(fullscreenImpressionsPerHour(60), 60)).to.equal(true);
  });

  it("counts the placement's impressions of a rolling hour", () => {
    const limit = fullscreenImpressionsPerHour(60);
    expect(limit).to.deep.include({ counter: 'placement_impressions', windowMs: 3_600_000 });
  });
});
