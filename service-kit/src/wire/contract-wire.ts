import * as events from '@placard/protos/events/v1/events.js';
import * as serving from '@placard/protos/serving/v1/serving.js';
import { enumMapping } from './enum-mapping.js';
import type { AccountKind, EventVerdict, FallbackReason, NoFillReason, ReportKey } from '../pure/index.js';

/** Maps no-fill reasons to and from the wire. */
export const noFillReasonOnWire = enumMapping<NoFillReason, serving.NoFillReason>({
  no_eligible_campaign: serving.NoFillReason.NO_ELIGIBLE_CAMPAIGN,
  serving_disabled: serving.NoFillReason.SERVING_DISABLED,
  placement_disabled: serving.NoFillReason.PLACEMENT_DISABLED,
  frequency_capped: serving.NoFillReason.FREQUENCY_CAPPED,
  test_no_fill: serving.NoFillReason.TEST_NO_FILL,
});

/** Maps verdicts on events to and from the wire. */
export const eventVerdictOnWire = enumMapping<EventVerdict, events.EventVerdict>({
  accepted: events.EventVerdict.ACCEPTED,
  duplicate: events.EventVerdict.DUPLICATE,
  invalid_token: events.EventVerdict.INVALID_TOKEN,
  expired_token: events.EventVerdict.EXPIRED_TOKEN,
  request_mismatch: events.EventVerdict.REQUEST_MISMATCH,
  no_impression: events.EventVerdict.NO_IMPRESSION,
  suspicious: events.EventVerdict.SUSPICIOUS,
});

/** Maps reasons of fallbacks to and from the wire. */
export const fallbackReasonOnWire = enumMapping<FallbackReason, events.FallbackReason>({
  no_fill: events.FallbackReason.NO_FILL,
  timeout: events.FallbackReason.TIMEOUT,
  error: events.FallbackReason.ERROR,
  creative_failed: events.FallbackReason.CREATIVE_FAILED,
});

/** Maps kinds of accounts to and from the wire. */
export const accountKindOnWire = enumMapping<AccountKind, events.AccountKind>({
  advertiser: events.AccountKind.ADVERTISER,
  publisher: events.AccountKind.PUBLISHER,
  platform: events.AccountKind.PLATFORM,
  deposits: events.AccountKind.DEPOSITS,
  payouts: events.AccountKind.PAYOUTS,
});

/** Maps keys of reports to and from the wire. */
export const reportKeyOnWire = enumMapping<ReportKey, events.ReportKey>({
  hour: events.ReportKey.HOUR,
  day: events.ReportKey.DAY,
  publisher: events.ReportKey.PUBLISHER,
  app: events.ReportKey.APP,
  placement: events.ReportKey.PLACEMENT,
  format: events.ReportKey.FORMAT,
  country: events.ReportKey.COUNTRY,
  advertiser: events.ReportKey.ADVERTISER,
  campaign: events.ReportKey.CAMPAIGN,
  creative: events.ReportKey.CREATIVE,
  app_version: events.ReportKey.APP_VERSION,
  sdk_version: events.ReportKey.SDK_VERSION,
});
