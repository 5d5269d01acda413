import type { AdFormat as WireFormat } from '@placard/protos/catalog/v1/catalog.js';
import type {
  FillCount as WireFillCount,
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
  asCampaignId,
  asCreativeId,
  asPlacementCode,
  asPublisherId,
  type AdFormat,
} from '@placard/service-kit/pure';
import type { ReportKey, ReportRow } from '../domain/report.js';
import type { FillCount, RequestCount, TrafficCount } from '../usecase/report-serving.js';

/** A report key from the wire. Error `invalid_argument` for one that this release does not have. */
export function fromWireKey(key: WireKey): ReportKey {
  const known = reportKeyOnWire.fromWire(key);
  if (known === null) throw appError('invalid_argument', 'A report key is unknown.');
  return known;
}

/** A row of a report for the wire. */
export function toWireRow(row: ReportRow): WireRow {
  return {
    keys: [...row.keys],
    requests: row.requests ?? undefined,
    fills: row.fills,
    hasNoFills: row.noFills !== null,
    noFills: Object.fromEntries(row.noFills ?? []),
    impressions: row.impressions,
    clicks: row.clicks,
    rewards: row.rewards,
    fallbacks: row.fallbacks ?? undefined,
    hasRejected: true,
    rejected: Object.fromEntries(row.rejected),
    spendNanos: row.spendNanos,
    revenueNanos: row.revenueNanos,
  };
}

/** Counts of ad requests from the wire. Error `invalid_argument` for an unknown ad format. */
export function fromWireRequests(count: WireRequestCount): RequestCount {
  return {
    ...fromWirePlace(count),
    hour: Number(count.hour),
    noFillReason: count.noFillReason,
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

function fromWireFormat(wire: WireFormat): AdFormat {
  const format = adFormatFromWire(wire);
  if (format === null) throw appError('invalid_argument', 'A count has an unknown ad format.');
  return format;
}
