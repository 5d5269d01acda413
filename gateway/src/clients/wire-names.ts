import { appError } from '@placard/service-kit';
import { AdFormat, CapPeriod, CreativeType, FallbackProvider } from '@placard/protos/catalog/v1/catalog.js';
import { EventVerdict, FallbackReason } from '@placard/protos/events/v1/events.js';
import { NoFillReason } from '@placard/protos/serving/v1/serving.js';
import type * as bodies from '../domain/bodies.js';
import type { EventVerdict as Verdict } from '../domain/event-answer.js';

/** Wire value of an ad format. */
export const FORMAT_TO_WIRE = {
  banner: AdFormat.BANNER,
  interstitial: AdFormat.INTERSTITIAL,
  rewarded: AdFormat.REWARDED,
} as const;

/** Wire value of a fallback's reason. */
export const FALLBACK_REASON_TO_WIRE = {
  no_fill: FallbackReason.NO_FILL,
  timeout: FallbackReason.TIMEOUT,
  error: FallbackReason.ERROR,
  creative_failed: FallbackReason.CREATIVE_FAILED,
} as const;

const FORMATS: Readonly<Record<number, bodies.AdFormat>> = {
  [AdFormat.BANNER]: 'banner',
  [AdFormat.INTERSTITIAL]: 'interstitial',
  [AdFormat.REWARDED]: 'rewarded',
};
const PROVIDERS: Readonly<Record<number, bodies.FallbackProvider>> = {
  [FallbackProvider.NONE]: 'none',
  [FallbackProvider.PARTNER]: 'partner',
};
const PERIODS: Readonly<Record<number, bodies.CapPeriod>> = {
  [CapPeriod.SESSION]: 'session',
  [CapPeriod.HOUR]: 'hour',
  [CapPeriod.DAY]: 'day',
};
const CREATIVE_TYPES: Readonly<Record<number, bodies.CreativeType>> = {
  [CreativeType.IMAGE]: 'image',
  [CreativeType.VIDEO]: 'video',
};
const NO_FILL_REASONS: Readonly<Record<number, bodies.NoFillReason>> = {
  [NoFillReason.NO_ELIGIBLE_CAMPAIGN]: 'no_eligible_campaign',
  [NoFillReason.SERVING_DISABLED]: 'serving_disabled',
  [NoFillReason.PLACEMENT_DISABLED]: 'placement_disabled',
  [NoFillReason.FREQUENCY_CAPPED]: 'frequency_capped',
  [NoFillReason.TEST_NO_FILL]: 'test_no_fill',
};
const VERDICTS: Readonly<Record<number, Verdict>> = {
  [EventVerdict.ACCEPTED]: 'accepted',
  [EventVerdict.DUPLICATE]: 'duplicate',
  [EventVerdict.INVALID_TOKEN]: 'invalid_token',
  [EventVerdict.EXPIRED_TOKEN]: 'expired_token',
  [EventVerdict.REQUEST_MISMATCH]: 'request_mismatch',
  [EventVerdict.NO_IMPRESSION]: 'no_impression',
  [EventVerdict.SUSPICIOUS]: 'suspicious',
};

/** A name of the specification for a wire value; a value that has none is the peer's fault (`server_error`). */
function namer<Name extends string>(what: string, names: Readonly<Record<number, Name>>) {
  return (value: number): Name => {
    const name = names[value];
    if (name === undefined)
      throw appError('server_error', `A peer sent the ${what} ${value}, which is not known.`);
    return name;
  };
}

/** Names of the specification for wire values. */
export const nameOf = {
  format: namer('format', FORMATS),
  provider: namer('fallback provider', PROVIDERS),
  period: namer('cap period', PERIODS),
  creativeType: namer('creative type', CREATIVE_TYPES),
  noFillReason: namer('no-fill reason', NO_FILL_REASONS),
  verdict: namer('verdict', VERDICTS),
};
