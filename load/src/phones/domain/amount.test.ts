import { expect } from 'chai';
import { amount } from './amount.js';

describe('an amount', () => {
  it('is singular for exactly one', () => {
    expect(amount(1, 'answers that never came')).to.equal('1 answer that never came');
    expect(amount({ least: 1, most: 1 }, 'requests')).to.equal('1 request');
  });

  it('is plural for all else', () => {
    expect(amount(0, 'apps killed')).to.equal('0 apps killed');
    expect(amount(1.5, 'hours')).to.equal('1.5 hours');
    expect(amount(1_234, 'requests lost')).to.equal('1,234 requests lost');
  });

  it('has both bounds where the truth is not known', () => {
    expect(amount({ least: 1, most: 4 }, 'requests')).to.equal('1 to 4 requests');
  });
});
