import * as wire from '@placard/protos/catalog/v1/catalog.js';
import { enumMapping } from './enum-mapping.js';
import type { ObjectKind, WordList, WordOf } from '../pure/index.js';

/** The numbers on the wire of each list of words that the catalog chooses from. */
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

/** An ad format as the wire has it. */
export const adFormatToWire = wordsOnWire.adFormat.toWire;
/** Null, as with the other `…FromWire`: unspecified, or a value of a newer release. */
export const adFormatFromWire = wordsOnWire.adFormat.fromWire;
/** A fallback provider as the wire has it. */
export const fallbackProviderToWire = wordsOnWire.fallbackProvider.toWire;
/** Null: unspecified or unknown. */
export const fallbackProviderFromWire = wordsOnWire.fallbackProvider.fromWire;
/** A cap's period as the wire has it. */
export const capPeriodToWire = wordsOnWire.capPeriod.toWire;
/** Null: unspecified or unknown. */
export const capPeriodFromWire = wordsOnWire.capPeriod.fromWire;
/** A creative's type as the wire has it. */
export const creativeTypeToWire = wordsOnWire.creativeType.toWire;
/** Null: unspecified or unknown. */
export const creativeTypeFromWire = wordsOnWire.creativeType.fromWire;
