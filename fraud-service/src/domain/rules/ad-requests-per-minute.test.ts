import { expect } from 'chai';
import { isWindowFull } from '../limit.js';
import { adRequestsPerMinute } from './ad-requests-per-minute.js';

describe('ad requests per session per minute', () => {
  it('lets the thirtieth pass and not the thirty-first', () => {
    expect(isWindowFull(adRequestsPerMinute(30), 29)).to.equal(false);
    expect(isWindowFull(adRequestsPerMinute(30), 30)).to.equal(true);
  });

  it('counts the ad requests of a rolling minute', () => {
    expect(adRequestsPerMinute(30)).to.deep.include({ counter: 'ad_requests', windowMs: 60_000 });
  });
});
