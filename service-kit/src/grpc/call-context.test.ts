import { expect } from 'chai';
import { nextDeadline } from './call-context.js';

describe('nextDeadline', () => {
  it('gives a call without a deadline the budget of this hop', () => {
    expect(nextDeadline(1_000, null, 2_000)).to.equal(3_000);
  });

  it("takes 10 ms off the caller's deadline at each hop", () => {
    expect(nextDeadline(1_000, 1_500, 2_000)).to.equal(1_490);
    expect(nextDeadline(1_000, nextDeadline(1_000, 1_500, 2_000), 2_000)).to.equal(1_480);
  });

  it('never gives more than the budget of this hop', () => {
    expect(nextDeadline(1_000, 60_000, 2_000)).to.equal(3_000);
  });

  it('refuses a call with less than 15 ms left', () => {
    expect(nextDeadline(1_000, 1_025, 2_000)).to.equal(1_015);
    for (const deadlineAt of [1_024, 1_000, 0]) {
      expect(() => nextDeadline(1_000, deadlineAt, 2_000))
        .to.throw()
        .with.property('code', 'deadline_exceeded');
    }
  });
});
