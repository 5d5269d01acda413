import { expect } from 'chai';
import { isWindowFull } from '../limit.js';
import { sessionImpressionsPerHour } from './session-impressions-per-hour.js';

describe('impressions per session per hour', () => {
  it('lets number 720 pass and not number 721', () => {
    expect(isWindowFull(sessionImpressionsPerHour(720), 719)).to.equal(false);
    expect(isWindowFull(sessionImpressionsPerHour(720), 720)).to.equal(true);
  });

  it('counts the impressions of all placements in a rolling hour', () => {
    const limit = sessionImpressionsPerHour(720);
    expect(limit).to.deep.include({ counter: 'session_impressions', windowMs: 3_600_000 });
  });
});
