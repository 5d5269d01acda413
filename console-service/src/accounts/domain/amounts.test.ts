import { expect } from 'chai';
import { asAdvertiserId } from '@placard/service-kit/pure';
import { readAdjustmentAmount } from './adjustment-rules.js';
import { isOpeningReference, openingReference, readDepositAmount } from './deposit-rules.js';

/** More digits than an amount can have. */
const HUGE = '9'.repeat(24);

describe('the amount of a deposit', () => {
  it('is above zero and at most 1,000,000,000', () => {
    expect(readDepositAmount('0.000000001')).to.deep.equal({ nanos: 1n });
    expect(readDepositAmount('250.00')).to.deep.equal({ nanos: 250_000_000_000n });
    expect(readDepositAmount('1000000000')).to.deep.equal({ nanos: 10n ** 18n });
  });

  it('is refused with the reason', () => {
    for (const text of ['0', '0.00', '-1', `-${HUGE}`])
      expect(readDepositAmount(text)).to.deep.equal({ fault: `amount ${text} is not above zero` });
    for (const text of ['1000000000.000000001', HUGE, `0${HUGE}.5`])
      expect(readDepositAmount(text)).to.deep.equal({
        fault: `amount ${text} is too large: at most 1,000,000,000`,
      });
    for (const text of ['', 'x', '1e3', '1.0000000001', `${HUGE}.0000000001`])
      expect(readDepositAmount(text)).to.deep.equal({
        fault: `amount ${text} is not a decimal with at most 9 decimals, such as 250.00`,
      });
  });
});

describe('the amount of an adjustment', () => {
  it('is at most 1,000,000,000 either way', () => {
    expect(readAdjustmentAmount('-12.50')).to.deep.equal({ nanos: -12_500_000_000n });
    expect(readAdjustmentAmount('0.000000001')).to.deep.equal({ nanos: 1n });
    expect(readAdjustmentAmount('1000000000')).to.deep.equal({ nanos: 10n ** 18n });
    expect(readAdjustmentAmount('-1000000000')).to.deep.equal({ nanos: -(10n ** 18n) });
  });

  it('is refused with the reason', () => {
    for (const text of ['0', '-0.00'])
      expect(readAdjustmentAmount(text)).to.deep.equal({ fault: 'the amount is zero' });
    for (const text of ['1000000000.000000001', '-1000000000.000000001', HUGE, `-${HUGE}`])
      expect(readAdjustmentAmount(text)).to.deep.equal({
        fault: `amount ${text} is too large: at most 1,000,000,000 either way`,
      });
    for (const text of ['', 'x', '+1'])
      expect(readAdjustmentAmount(text)).to.deep.equal({
        fault: `amount ${text} is not a decimal with at most 9 decimals, such as -12.50`,
      });
  });
});

describe('the reference of an opening balance', () => {
  it('names the advertiser, and only it begins with opening:', () => {
    expect(openingReference(asAdvertiserId('adv_x'))).to.equal('opening:adv_x');
    expect(['opening:adv_x', 'opening:', 'opening', 'my opening:adv_x', ''].map(isOpeningReference)).to.eql([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
