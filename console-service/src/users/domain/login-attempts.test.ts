import { expect } from 'chai';
import { waitOf, windowOf } from './login-attempts.js';

const BEGIN_MS = Date.UTC(2026, 10, 1, 12, 15);

describe('attempts to log in', () => {
  it('are judged up to the tenth of a quarter of an hour', () => {
    expect(waitOf(10, BEGIN_MS)).to.equal(null);
    expect(waitOf(11, BEGIN_MS)).to.equal(900);
    expect(waitOf(11, BEGIN_MS + 899_001)).to.equal(1);
  });

  it('are counted anew in the next one', () => {
    expect(windowOf(BEGIN_MS + 899_999)).to.equal(BEGIN_MS);
    expect(windowOf(BEGIN_MS + 900_000)).to.equal(BEGIN_MS + 900_000);
  });
});
