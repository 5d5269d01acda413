import { AD_FORMATS } from '@placard/service-kit/pure';

/** The ad formats. Contract: docs/contract/sdk-api.md#ad-formats. */
export const FORMATS = AD_FORMATS;
/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number];

/** Languages of apps, which campaigns target. Frequent ones are repeated. */
export const LANGUAGES = ['en', 'en', 'en', 'es', 'de', 'fr', 'pt', 'ja', 'ko', 'hi'] as const;
/** Categories of apps, which campaigns target. Frequent ones are repeated. */
export const CATEGORIES = [
  'games',
  'games',
  'games',
  'news',
  'education',
  'tools',
  'music',
  'sports',
] as const;
/** Countries of the phones. Frequent ones are repeated. */
export const COUNTRIES = [
  'US',
  'US',
  'US',
  'CN',
  'JP',
  'DE',
  'GB',
  'KR',
  'BR',
  'FR',
  'IN',
  'CA',
  'IT',
] as const;
