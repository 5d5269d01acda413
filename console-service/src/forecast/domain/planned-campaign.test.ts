import { DAY_MS } from '@placard/service-kit/pure';
import { testApp, testCampaign } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { planOf, planOfCampaign, segmentOf } from './planned-campaign.js';

const NOW_MS = Date.UTC(2026, 4, 4, 12);
const APPS = [
  testApp({ id: 'puzzle', appKey: 'app_a', category: 'games' }),
  testApp({ id: 'radio', appKey: 'app_b', category: 'music' }),
  testApp({ id: 'plain', appKey: 'app_c', category: null }),
];
const segment = (changes: Parameters<typeof testCampaign>[0]) =>
  segmentOf(planOfCampaign(testCampaign(changes), ['banner', 'rewarded']), APPS);

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
    const campaign = testCampaign({ languages: ['de'], androidVersions: [14], frequencyCap });
    expect(planOfCampaign(campaign, []).ignored).to.deep.equal([
      'languages',
      'android_versions',
      'frequency_cap',
    ]);
    expect(planOfCampaign(testCampaign(), []).ignored).to.deep.equal([]);
  });

  it('is forecast from now on, and for seven days without an end', () => {
    const range = (changes: Parameters<typeof testCampaign>[0]) => {
      const found = planOf(planOfCampaign(testCampaign(changes), []), NOW_MS);
      return found === null ? null : [found.startsAtMs - NOW_MS, found.endsAtMs - NOW_MS];
    };
    expect(range({ startsAtMs: NOW_MS - 5 })).to.deep.equal([0, 7 * DAY_MS]);
    expect(range({ startsAtMs: NOW_MS + 5, endsAtMs: NOW_MS + 9 })).to.deep.equal([5, 9]);
    expect(range({ endsAtMs: NOW_MS })).to.equal(null);
    expect(range({ endsAtMs: NOW_MS + 93 * DAY_MS })).to.equal(null);
  });
});
