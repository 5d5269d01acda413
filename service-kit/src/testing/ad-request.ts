import { AdFormat } from '@placard/protos/catalog/v1/catalog.js';
import type { RequestAdRequest } from '@placard/protos/serving/v1/serving.js';

/** A message of an ad request that has nothing but what it must have. */
export const AD_REQUEST: RequestAdRequest = {
  appKey: 'app_x',
  placement: 'p',
  format: AdFormat.BANNER,
  sessionToken: 't',
  testMode: false,
  testForceNoFill: false,
  publicBaseUrl: '',
  waitedMs: 0,
};
