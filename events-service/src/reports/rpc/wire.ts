import type { AdFormat as WireFormat } from '@placard/protos/catalog/v1/catalog.js';
import type {
  ErrorCount as WireErrorCount,
  FillCount as WireFillCount,
  LossCount as WireLossCount,
  ReportFilter as WireFilter,
  ReportKey as WireKey,
  ReportRow as WireRow,
  RequestCount as WireRequestCount,
  TrafficCount as WireTrafficCount,
} from '@placard/protos/events/v1/events.js';
import { appError } from '@placard/service-kit';
import { adFormatFromWire, reportKeyOnWire } from '@placard/service-kit/wire';
import {
  asAdvertiserId,
  asAppId,
  asAppKey,
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  INTEGRATION_ERRORS,
  type AdFormat,
} from '@placard/service-kit/pure';
import type { EventSums, ReportRow } from '../domain/report.js';
import type { ReportFilter, ReportKey } from '../domain/report-sources.js';
import type { ErrorCount } from '../usecase/report-errors.js';
import type { FillCount, LossCount, RequestCount, TrafficCount } from '../usecase/report-serving.js';

/** A report key from the wire. Error `invalid_argument` for one that this release does not have. */
export function fromWireKey(key: WireKey): ReportKey {
  const known = reportKeyOnWire.fromWire(key);
  if (known === null) throw appError('invalid_argument', 'A report key is unknown.');
  return known;
}

/** A filter from the wire. Error `invalid_argument` for a key that this release does not have. */
export function fromWireFilter({ key, values }: WireFilter): ReportFilter {
  return { key: fromWireKey(key), values };
}

/** A row of a report for the wire. */
export function toWireRow(row: ReportRow): WireRow {
  return {
    keys: [...row.keys],
    requests: row.requests ?? undefined,
    fills: row.fills,
    hasNoFills: row.noFills !== null,
    noFills: Object.fromEntries(row.noFills ?? []),
    hasNoEvents: row.events === null,
    ...(row.events ?? NO_EVENTS),
    fallbacks: row.fallbacks === null ? undefined : sumOf(row.fallbacks),
    fallbacksByReason: Object.fromEntries(row.fallbacks ?? []),
    hasRejected: row.rejected !== null,
    rejected: Object.fromEntries(row.rejected ?? []),
    hasErrors: row.errors !== null,
    errors: Object.fromEntries(row.errors ?? []),
  };
}

const NO_EVENTS: EventSums = { impressions: 0n, clicks: 0n, rewards: 0n, spendNanos: 0n, revenueNanos: 0n };

function sumOf(counts: ReadonlyMap<string, bigint>): bigint {
  return [...counts.values()].reduce((sum, count) => sum + count, 0n);
}

/** Counts of errors from the wire. Null: an error of a newer release. */
export function fromWireError({ hour, appKey, error, count }: WireErrorCount): ErrorCount | null {
  const known = INTEGRATION_ERRORS.find((name) => name === error);
  if (known === undefined) return null;
  return { hour: Number(hour), appKey: appKey === '' ? null : asAppKey(appKey), error: known, count };
}

/** Counts of ad requests from the wire. Error `invalid_argument` for an unknown ad format. */
export function fromWireRequests(count: WireRequestCount): RequestCount {
  return {
    ...fromWirePlace(count),
    hour: Number(count.hour),
    noFillReason: count.noFillReason,
    appVersion: count.appVersion ?? '',
    sdkVersion: count.sdkVersion ?? '',
    count: count.count,
  };
}

/** Counts of fills from the wire. Error `invalid_argument` for an unknown ad format. */
export function fromWireFills(count: WireFillCount): FillCount {
  return {
    ...fromWirePlace(count),
    minute: Number(count.minute),
    advertiserId: asAdvertiserId(count.advertiserId),
    campaignId: asCampaignId(count.campaignId),
    creativeId: asCreativeId(count.creativeId),
    count: count.count,
    reservedNanos: count.reservedNanos,
    expiresAtMs: Number(count.expiresAtMs),
  };
}

/** The fields that counts of requests and fills share. */
function fromWirePlace({ publisherId, appId, placement, format, country }: WireRequestCount | WireFillCount) {
  return {
    publisherId: asPublisherId(publisherId),
    appId: asAppId(appId),
    placement: asPlacementCode(placement),
    format: fromWireFormat(format),
    country: country ?? '',
  };
}

/** Counts of traffic from the wire. Error `invalid_argument` for an unknown ad format. */
export function fromWireTraffic({ halfHour, appCategory, format, requests }: WireTrafficCount): TrafficCount {
  return { halfHour: Number(halfHour), category: appCategory, format: fromWireFormat(format), requests };
}

/** Counts of lost requests from the wire. */
export function fromWireLosses({
  hour,
  campaignId,
  step,
  rival,
  requests,
  samples,
}: WireLossCount): LossCount {
  return { hour: Number(hour), campaignId: asCampaignId(campaignId), step, rival, requests, samples };
}

function fromWireFormat(wire: WireFormat): AdFormat {
  const format = adFormatFromWire(wire);
  if (format === null) throw appError('invalid_argument', 'A count has an unknown ad format.');
  return format;
}
