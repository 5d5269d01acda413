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
import type { AdFormat } from '@placard/service-kit/pure';
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
export function fromWireRequests({ hour, format, country, ...count }: WireRequestCount): RequestCount {
  return { ...count, hour: Number(hour), format: fromWireFormat(format), country: country ?? '' };
}

/** Counts of fills from the wire. Error `invalid_argument` for an unknown ad format. */
export function fromWireFills({ minute, format, country, expiresAtMs, ...count }: WireFillCount): FillCount {
  return {
    ...count,
    minute: Number(minute),
    format: fromWireFormat(format),
    country: country ?? '',
    expiresAtMs: Number(expiresAtMs),
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
