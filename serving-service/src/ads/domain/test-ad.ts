import {
  asAdvertiserId,
  asCampaignId,
  asCreativeId,
  type AdFormat,
  type Creative,
} from '@placard/service-kit/pure';

/** The campaign and advertiser of every test ad. Contract: docs/contract/sdk-api.md#identifiers. */
export const TEST_CAMPAIGN_ID = asCampaignId('cmp_test');
export const TEST_ADVERTISER_ID = asAdvertiserId('adv_test');

/**
 * The built-in creatives. Their addresses are paths of the product, which `atPublicAddress` completes.
 * Contract: docs/contract/selection.md#test-ad.
 */
export const TEST_CREATIVES: Readonly<Record<AdFormat, Creative>> = {
  banner: built('banner', 'banner.png', { type: 'image', width: 320, height: 50, durationSeconds: null }),
  interstitial: built('interstitial', 'interstitial.png', {
    type: 'image',
    width: 1080,
    height: 1920,
    durationSeconds: null,
  }),
  rewarded: built('rewarded', 'rewarded.mp4', {
    type: 'video',
    width: 720,
    height: 1280,
    durationSeconds: 5,
  }),
};

function built(
  format: AdFormat,
  file: string,
  facts: Pick<Creative, 'type' | 'width' | 'height' | 'durationSeconds'>,
): Creative {
  return {
    ...facts,
    id: asCreativeId(`cr_test_${format}`),
    campaignId: TEST_CAMPAIGN_ID,
    format,
    url: `/creatives/test/${file}`,
    clickUrl: '/docs',
    isApproved: true,
  };
}
