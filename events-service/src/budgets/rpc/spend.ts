import {
  SpendServiceService,
  type FillCount as WireFillCount,
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
import { fromWireLeaseReport, fromWireWant, toWireAnswer } from './lease-wire.js';
import type { ExchangeLeases } from '../usecase/exchange-leases.js';
import type { GetTrafficCurves } from '../../traffic/usecase/get-traffic-curves.js';
import type {
  FillCount,
  ReportServing,
  RequestCount,
  TrafficCount,
} from '../../reports/usecase/report-serving.js';

/** What SpendService does. */
export interface SpendUseCases {
  readonly exchangeLeases: ExchangeLeases;
  readonly reportServing: ReportServing;
  readonly getTrafficCurves: GetTrafficCurves;
}

/** SpendService on the wire. Design: docs/architecture.md#money. */
export function implementSpendService(useCases: SpendUseCases): ImplementedService {
  return implementService(SpendServiceService, {
    async exchangeLeases({ run, atMs, reports, wants, peeks }) {
      const answers = await useCases.exchangeLeases({
        run,
        atMs: Number(atMs),
        reports: reports.map(fromWireLeaseReport),
        wants: wants.map(fromWireWant),
        peeks: peeks.map(fromWireWant),
      });
      return { wants: answers.wants.map(toWireAnswer), peeks: answers.peeks.map(toWireAnswer) };
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

function fromWireTraffic({ halfHour, appCategory, format, requests }: WireTrafficCount): TrafficCount {
  return { halfHour: Number(halfHour), category: appCategory, format: fromWireFormat(format), requests };
}

function fromWireFormat(wire: WireFormat): AdFormat {
  const format = adFormatFromWire(wire);
  if (format === null) throw appError('invalid_argument', 'A count has an unknown ad format.');
  return format;
}
