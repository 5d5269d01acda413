import * as wire from '@placard/protos/catalog/v1/catalog.js';
import { enumMapping } from './enum-mapping.js';
import type { ObjectKind, WordList, WordOf } from '../pure/index.js';

/** The numbers on the wire of each list of words in the catalog. */
export const wordsOnWire = {
  adFormat: enumMapping<WordOf<'adFormat'>, wire.AdFormat>({
    banner: wire.AdFormat.BANNER,
    interstitial: wire.AdFormat.INTERSTITIAL,
    rewarded: wire.AdFormat.REWARDED,
  }),
  fallbackProvider: enumMapping<WordOf<'fallbackProvider'>, wire.FallbackProvider>({
    none: wire.FallbackProvider.NONE,
    partner: wire.FallbackProvider.PARTNER,
  }),
  capPeriod: enumMapping<WordOf<'capPeriod'>, wire.CapPeriod>({
    session: wire.CapPeriod.SESSION,
    hour: wire.CapPeriod.HOUR,
    day: wire.CapPeriod.DAY,
  }),
  campaignStatus: enumMapping<WordOf<'campaignStatus'>, wire.CampaignStatus>({
    active: wire.CampaignStatus.ACTIVE,
    paused: wire.CampaignStatus.PAUSED,
    ended: wire.CampaignStatus.ENDED,
  }),
  pacing: enumMapping<WordOf<'pacing'>, wire.Pacing>({
    even: wire.Pacing.EVEN,
    asap: wire.Pacing.ASAP,
  }),
  creativeType: enumMapping<WordOf<'creativeType'>, wire.CreativeType>({
    image: wire.CreativeType.IMAGE,
    video: wire.CreativeType.VIDEO,
  }),
} satisfies { readonly [List in WordList]: { toWire(word: WordOf<List>): number } };

/** The number on the wire of a word of that list. */
export type CodeOf<List extends WordList> = ReturnType<(typeof wordsOnWire)[List]['toWire']>;

/** The numbers of the kinds of objects. */
export const objectKindOnWire = enumMapping<ObjectKind, wire.ObjectKind>({
  global: wire.ObjectKind.GLOBAL,
  publisher: wire.ObjectKind.PUBLISHER,
  app: wire.ObjectKind.APP,
  placement: wire.ObjectKind.PLACEMENT,
  advertiser: wire.ObjectKind.ADVERTISER,
  campaign: wire.ObjectKind.CAMPAIGN,
  creative: wire.ObjectKind.CREATIVE,
});

/** Maps an ad format to the wire. */
export const adFormatToWire = wordsOnWire.adFormat.toWire;
/**
 * Maps an ad format from the wire. Null, here and in the other `…FromWire`: unspecified, or a value of a newer release.
 */
export const adFormatFromWire = wordsOnWire.adFormat.fromWire;
/** Maps a fallback provider to the wire. */
export const fallbackProviderToWire = wordsOnWire.fallbackProvider.toWire;
/** Maps a fallback provider from the wire. Null: unspecified or unknown. */
export const fallbackProviderFromWire = wordsOnWire.fallbackProvider.fromWire;
/** Maps the period of a cap to the wire. */
export const capPeriodToWire = wordsOnWire.capPeriod.toWire;
/** Maps the period of a cap from the wire. Null: unspecified or unknown. */
export const capPeriodFromWire = wordsOnWire.capPeriod.fromWire;
/** Maps the type of a creative to the wire. */
export const creativeTypeToWire = wordsOnWire.creativeType.toWire;
/** Maps the type of a creative from the wire. Null: unspecified or unknown. */
export const creativeTypeFromWire = wordsOnWire.creativeType.fromWire;
