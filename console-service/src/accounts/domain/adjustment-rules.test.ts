import { asOwnerId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { adjustmentDoubt } from './adjustment-rules.js';

const UNIT = 1_000_000_000n;

describe('an adjustment needs a confirmation', () => {
  const account = { kind: 'advertiser', id: asOwnerId('adv_a') } as const;
  const doubt = (amountNanos: bigint, balanceNanos: bigint | null) =>
    adjustmentDoubt({ account, amountNanos }, balanceNanos, 'EUR');

  it('when it is beyond 1,000 in either direction', () => {
    expect(doubt(1_000n * UNIT, null)).to.equal(null);
    expect(doubt(1_000n * UNIT + 1n, null)).to.contain('more than 1,000 EUR: 1000.000000001 EUR for');
    expect(doubt(-1_000n * UNIT, 5_000n * UNIT)).to.equal(null);
    expect(doubt(-1_000n * UNIT - 1n, 5_000n * UNIT)).to.contain('adv_a');
  });

  it('when the balance is below zero after it', () => {
    expect(doubt(-5n, 5n)).to.equal(null);
    expect(doubt(-5n, 4n)).to.equal('The adjustment leaves advertiser:adv_a with -0.000000001 EUR');
    expect(doubt(5n, -10n)).to.equal(null);
  });

  it('when it takes away and the balance is not known', () => {
    expect(doubt(-1n, null)).to.contain('cannot be read');
  });
});
