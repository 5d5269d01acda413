import { expect } from 'chai';
import { testCampaign } from '../../testing/catalog.js';
import { isPaced } from './pace.js';

describe('isPaced', () => {
  const campaigns: readonly (readonly [string, Parameters<typeof testCampaign>[0], boolean])[] = [
    ['an even campaign with a daily budget of 100 impressions', { budgetDailyNanos: 250_000_000n }, true],
    ['an even campaign with less than 100 impressions a day', { budgetDailyNanos: 249_999_999n }, false],
    ['an even campaign without a daily budget', { budgetDailyNanos: null }, false],
    ['an asap campaign', { budgetDailyNanos: 10n ** 12n, pacing: 'asap' }, false],
  ];
  for (const [name, changes, isSo] of campaigns) {
    it(`is ${String(isSo)} for ${name}`, () => {
      expect(isPaced(testCampaign(changes))).to.equal(isSo);
    });
  }
});
