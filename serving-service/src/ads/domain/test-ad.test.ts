import { expect } from 'chai';
import { testCreative } from './test-ad.js';

const BASE = 'https://ads.example.com';

describe('the built-in test creative', () => {
  const formats = [
    ['banner', 'banner.png', { type: 'image', width: 320, height: 50, durationSeconds: null }],
    ['interstitial', 'interstitial.png', { type: 'image', width: 1080, height: 1920, durationSeconds: null }],
    ['rewarded', 'rewarded.mp4', { type: 'video', width: 720, height: 1280, durationSeconds: 5 }],
  ] as const;
  for (const [format, file, extent] of formats) {
    it(`of ${format} is the file that the product serves itself, with its size and length`, () => {
      expect(testCreative(format, BASE)).to.deep.equal({
        ...extent,
        id: `cr_test_${format}`,
        campaignId: 'cmp_test',
        format,
        url: `${BASE}/creatives/test/${file}`,
        clickUrl: `${BASE}/docs`,
        isApproved: true,
      });
    });
  }

  it('stands below the address of the product, whether that ends with slashes or not', () => {
    for (const base of [`${BASE}/ads`, `${BASE}/ads/`, `${BASE}/ads//`]) {
      const { url, clickUrl } = testCreative('banner', base);
      expect([url, clickUrl]).to.deep.equal([`${BASE}/ads/creatives/test/banner.png`, `${BASE}/ads/docs`]);
    }
  });
});
