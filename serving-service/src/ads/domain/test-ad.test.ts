import { expect } from 'chai';
import { TEST_CREATIVES } from './test-ad.js';

describe('the built-in test creative', () => {
  const formats = [
    ['banner', 'banner.png', { type: 'image', width: 320, height: 50, durationSeconds: null }],
    ['interstitial', 'interstitial.png', { type: 'image', width: 1080, height: 1920, durationSeconds: null }],
    ['rewarded', 'rewarded.mp4', { type: 'video', width: 720, height: 1280, durationSeconds: 5 }],
  ] as const;
  for (const [format, file, extent] of formats) {
    it(`of ${format} is a file of the product, with its size and length`, () => {
      expect(TEST_CREATIVES[format]).to.deep.equal({
        ...extent,
        id: `cr_test_${format}`,
        campaignId: 'cmp_test',
        format,
        url: `/creatives/test/${file}`,
        clickUrl: '/docs',
        isApproved: true,
      });
    });
  }
});
