import { DAY_MS } from '@placard/service-kit/pure';
import { testApp, testCampaign } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { NOTHING_SPENT, planOf, planOfCampaign, segmentOf } from './planned-campaign.js';

const NOW_MS = Date.UTC(2026, 4, 4, 12);
const APPS = [
  testApp({ id: 'puzzle', appKey: 'app_a', category: 'games' }),
  testApp({ id: 'radio', appKey: 'app_b', category: 'music' }),
  testApp({ id: 'plain', appKey: 'app_c', category: null }),
];
const planned = (changes: Parameters<typeof testCampaign>[0] = {}) => {
  const plan = planOfCampaign(testCampaign(changes), ['banner', 'rewarded']);
  if (plan === null) throw new Error('the campaign has no plan');
  return plan;
};
const segment = (changes: Parameters<typeof testCampaign>[0]) => segmentOf(planned(changes), APPS);

describe('the segment of a planned campaign', () => {
  it('has the formats of its creatives that it targets', () => {
    expect(segment({})?.formats).to.deep.equal(['banner', 'rewarded']);
    expect(segment({ formats: ['rewarded', 'interstitial'] })?.formats).to.deep.equal(['rewarded']);
  });

  it('has the apps of its categories', () => {
    expect(segment({})?.appIds).to.deep.equal([]);
    expect(segment({ appCategories: ['games', 'music'] })?.appIds).to.deep.equal(['puzzle', 'radio']);
    expect(segment({ appCategories: ['games'], appIds: [APPS[1]!.id] })).to.equal(null);
  });
});

describe('a planned campaign', () => {
  it('names the targeting that the history does not have', () => {
    const frequencyCap = { count: 1, period: 'day' } as const;
    const campaign = planned({ languages: ['de'], androidVersions: [14], frequencyCap });
    expect(campaign.ignored).to.deep.equal(['languages', 'android_versions', 'frequency_cap']);
    expect(planned().ignored).to.deep.equal([]);
  });

  it('has what is left of its budgets', () => {
    const campaign = planned({ budgetTotalNanos: 100n, budgetDailyNanos: 10n });
    const spent = { spentNanos: 70n, daySpentNanos: 4n };
    const plan = planOf(campaign, spent, NOW_MS);
    expect(plan).to.include({ budgetLeftNanos: 30n, budgetDailyNanos: 10n, firstDaySpentNanos: 4n });
    expect(planOf(campaign, { ...spent, spentNanos: 101n }, NOW_MS)).to.include({ budgetLeftNanos: 0n });
    const tomorrow = planned({ budgetTotalNanos: 100n, startsAtMs: NOW_MS + DAY_MS });
    expect(planOf(tomorrow, spent, NOW_MS)).to.include({ budgetLeftNanos: 30n, firstDaySpentNanos: 0n });
  });

  it('is none without a creative of a format that it targets, instead of one of every format', () => {
    expect(planOfCampaign(testCampaign(), [])).to.equal(null);
    expect(planOfCampaign(testCampaign({ formats: ['rewarded'] }), ['banner'])).to.equal(null);
  });

  it('is forecast from now on, and for seven days without an end', () => {
    const range = (changes: Parameters<typeof testCampaign>[0]) => {
      const found = planOf(planned(changes), NOTHING_SPENT, NOW_MS);
      return found === null ? null : [found.startsAtMs - NOW_MS, found.endsAtMs - NOW_MS];
    };
    expect(range({ startsAtMs: NOW_MS - 5 })).to.deep.equal([0, 7 * DAY_MS]);
    expect(range({ startsAtMs: NOW_MS + 5, endsAtMs: NOW_MS + 9 })).to.deep.equal([5, 9]);
    expect(range({ endsAtMs: NOW_MS })).to.equal(null);
    expect(range({ endsAtMs: NOW_MS + 93 * DAY_MS })).to.equal(null);
  });
});
