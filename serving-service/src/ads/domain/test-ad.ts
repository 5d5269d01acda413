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

type Built = Pick<Creative, 'type' | 'width' | 'height' | 'durationSeconds'> & { readonly file: string };

/** Files of the built-in creatives, which the product serves under `/creatives`. */
const BUILT: Readonly<Record<AdFormat, Built>> = {
  banner: { file: 'banner.png', type: 'image', width: 320, height: 50, durationSeconds: null },
  interstitial: { file: 'interstitial.png', type: 'image', width: 1080, height: 1920, durationSeconds: null },
  rewarded: { file: 'rewarded.mp4', type: 'video', width: 720, height: 1280, durationSeconds: 5 },
};

/**
 * The built-in creative of a format, at the address under which the client reached the product.
 * Contract: docs/contract/selection.md#test-ad.
 */
export function testCreative(format: AdFormat, publicBaseUrl: string): Creative {
  const { file, ...built } = BUILT[format];
  const baseUrl = publicBaseUrl.replace(/\/+$/, '');
  return {
    ...built,
    id: asCreativeId(`cr_test_${format}`),
    campaignId: TEST_CAMPAIGN_ID,
    format,
    url: `${baseUrl}/creatives/test/${file}`,
    clickUrl: `${baseUrl}/docs`,
    isApproved: true,
  };
}
