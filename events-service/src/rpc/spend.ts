import {
  SpendServiceService,
  type FillCount as WireFillCount,
  type HeldMinute as WireHeldMinute,
  type RequestCount as WireRequestCount,
  type TrafficCount as WireTrafficCount,
} from '@placard/protos/events/v1/events.js';
import type { AdFormat as WireFormat } from '@placard/protos/catalog/v1/catalog.js';
import {
  adFormatFromWire,
  adFormatToWire,
  appError,
  implementService,
  type ImplementedService,
} from '@placard/service-kit';
import type { AdFormat } from '@placard/service-kit/pure';
import type { GetAcceptedSums } from '../usecase/get-accepted-sums.js';
import type { GetBudgetTruth } from '../usecase/get-budget-truth.js';
import type { GetTrafficCurves } from '../usecase/get-traffic-curves.js';
import type { HeldMinute, ReportReservations } from '../usecase/report-reservations.js';
import type { FillCount, ReportServing, RequestCount, TrafficCount } from '../usecase/report-serving.js';

/** What SpendService does. */
export interface SpendUseCases {
  readonly getBudgetTruth: GetBudgetTruth;
  readonly getAcceptedSums: GetAcceptedSums;
  readonly reportServing: ReportServing;
  readonly reportReservations: ReportReservations;
  readonly getTrafficCurves: GetTrafficCurves;
}

/** SpendService on the wire. Design: "Money". */
export function implementSpendService(useCases: SpendUseCases): ImplementedService {
  return implementService(SpendServiceService, {
    async getBudgetTruth({ advertiserId, campaignIds }) {
      const truth = await useCases.getBudgetTruth(advertiserId, campaignIds);
      return {
        advertiserAcceptedNanos: truth.advertiserAcceptedNanos,
        openMinutes: truth.openMinutes.map(({ minute, expiresAtMs, ...open }) => ({
          ...open,
          minute: BigInt(minute),
          expiresAtMs: BigInt(expiresAtMs),
        })),
        campaigns: truth.campaigns.map(({ campaignId, acceptedNanos, days }) => ({
          campaignId,
          acceptedNanos,
          days: days.map(({ day, spendNanos }) => ({ day: BigInt(day), acceptedNanos: spendNanos })),
        })),
      };
    },
    async getAcceptedSums({ minutes }) {
      const sums = await useCases.getAcceptedSums(
        minutes.map(({ campaignId, minute, expiresAtMs }) => ({
          campaignId,
          minute: Number(minute),
          expiresAtMs: Number(expiresAtMs),
        })),
      );
      return {
        sums: sums.map(({ campaignId, minute, acceptedNanos, impressions }) => ({
          campaignId,
          minute: BigInt(minute),
          acceptedNanos,
          impressions,
        })),
      };
    },
    async reportServing({ reporterId, sequence, requests, fills, traffic }) {
      await useCases.reportServing({
        name: { reporterId, sequence },
        requests: requests.map(fromWireRequests),
        fills: fills.map(fromWireFills),
        traffic: traffic.map(fromWireTraffic),
      });
      return {};
    },
    async reportReservations({ minutes }) {
      const known = await useCases.reportReservations(minutes.map(fromWireHeld));
      return { minutes: known.map(({ minute, ...rest }) => ({ ...rest, minute: BigInt(minute) })) };
    },
    async getTrafficCurves() {
      const curves = await useCases.getTrafficCurves();
      return {
        curves: curves.map(({ category, format, shares, ...curve }) => ({
          ...curve,
          appCategory: category,
          format: adFormatToWire(format),
          shares: [...shares],
        })),
      };
    },
  });
}

function fromWireRequests({ hour, format, country, ...count }: WireRequestCount): RequestCount {
  return { ...count, hour: Number(hour), format: fromWireFormat(format), country: country ?? '' };
}

function fromWireFills({ minute, format, country, expiresAtMs, ...count }: WireFillCount): FillCount {
  return {
    ...count,
    minute: Number(minute),
    format: fromWireFormat(format),
    country: country ?? '',
    expiresAtMs: Number(expiresAtMs),
  };
}

function fromWireHeld({ minute, expiresAtMs, ...held }: WireHeldMinute): HeldMinute {
  return { ...held, minute: Number(minute), expiresAtMs: Number(expiresAtMs) };
}

function fromWireTraffic({ halfHour, appCategory, format, requests }: WireTrafficCount): TrafficCount {
  return { halfHour: Number(halfHour), category: appCategory, format: fromWireFormat(format), requests };
}

function fromWireFormat(wire: WireFormat): AdFormat {
  const format = adFormatFromWire(wire);
  if (format === null) throw appError('invalid_argument', 'A count has an unknown ad format.');
  return format;
}
