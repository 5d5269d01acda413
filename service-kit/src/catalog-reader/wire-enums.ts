import * as wire from '@placard/protos/catalog/v1/catalog.js';
import { enumMapping } from '../enum-mapping.js';
import type {
  AdFormat,
  CampaignStatus,
  CapPeriod,
  CreativeType,
  FallbackProvider,
  Pacing,
} from '../pure/index.js';

const adFormat = enumMapping<AdFormat, wire.AdFormat>({
  banner: wire.AdFormat.BANNER,
  interstitial: wire.AdFormat.INTERSTITIAL,
  rewarded: wire.AdFormat.REWARDED,
});
const fallbackProvider = enumMapping<FallbackProvider, wire.FallbackProvider>({
  none: wire.FallbackProvider.NONE,
  partner: wire.FallbackProvider.PARTNER,
});
const capPeriod = enumMapping<CapPeriod, wire.CapPeriod>({
  session: wire.CapPeriod.SESSION,
  hour: wire.CapPeriod.HOUR,
  day: wire.CapPeriod.DAY,
});
const campaignStatus = enumMapping<CampaignStatus, wire.CampaignStatus>({
  active: wire.CampaignStatus.ACTIVE,
  paused: wire.CampaignStatus.PAUSED,
  ended: wire.CampaignStatus.ENDED,
});
const pacing = enumMapping<Pacing, wire.Pacing>({ even: wire.Pacing.EVEN, asap: wire.Pacing.ASAP });
const creativeType = enumMapping<CreativeType, wire.CreativeType>({
  image: wire.CreativeType.IMAGE,
  video: wire.CreativeType.VIDEO,
});

/** An ad format as the wire has it. */
export const adFormatToWire = adFormat.toWire;
/** Null, as with the other `…FromWire`: unspecified, or a value of a newer release. */
export const adFormatFromWire = adFormat.fromWire;
/** A fallback provider as the wire has it. */
export const fallbackProviderToWire = fallbackProvider.toWire;
/** Null: unspecified or unknown. */
export const fallbackProviderFromWire = fallbackProvider.fromWire;
/** A cap's period as the wire has it. */
export const capPeriodToWire = capPeriod.toWire;
/** Null: unspecified or unknown. */
export const capPeriodFromWire = capPeriod.fromWire;
/** A campaign's status as the wire has it. */
export const campaignStatusToWire = campaignStatus.toWire;
/** Null: unspecified or unknown. */
export const campaignStatusFromWire = campaignStatus.fromWire;
/** A campaign's pacing as the wire has it. */
export const pacingToWire = pacing.toWire;
/** Null: unspecified or unknown. */
export const pacingFromWire = pacing.fromWire;
/** A creative's type as the wire has it. */
export const creativeTypeToWire = creativeType.toWire;
/** Null: unspecified or unknown. */
export const creativeTypeFromWire = creativeType.fromWire;
