import { expect } from 'chai';
import { backoffMs } from './backoff.js';

describe('the wait before the next attempt', () => {
  it('doubles from one second to a minute, less up to half of it by chance', () => {
    expect([1, 2, 3, 6, 7, 60].map((attempts) => backoffMs(attempts, null, () => 0))).to.deep.equal([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
    ]);
    expect(backoffMs(3, null, () => 1)).to.equal(2_000);
  });

  it('is never shorter than the server asks', () => {
    expect(backoffMs(1, 30_000, () => 0.5)).to.equal(30_000);
    expect(backoffMs(7, 1_000, () => 0)).to.equal(60_000);
  });
});
