import type { Scope } from '@placard/service-kit';
import { openGrpcClient } from '@placard/service-kit/grpc';
import { adFormatFromWire, adFormatToWire } from '@placard/service-kit/wire';
import {
  SpendServiceService,
  type ReportServingRequest,
  type TrafficCurve,
} from '@placard/protos/events/v1/events.js';
import type { TrafficGroup } from '@placard/service-kit/pure';
import { fromExchange, toExchange } from './lease-wire.js';
import type { CountPlace, ServingBatch, SpendClient } from './spend-client.js';

/**
 * Longest time of a call, in milliseconds. An ad request waits for it at most until its own deadline. An exchange takes about
 * ten statements, so it lasts this long when Postgres is slow.
 */
const BUDGET_MS = 3_000;
const REPORTER_ID_BYTES = 16;
/** Most traffic groups that are read from one answer. */
const GROUPS_MAX = 2_000;

/** SpendService of events-service over gRPC. The `reporter id` is drawn once for the life of the process. */
export function openSpendClient(scope: Scope, address: string): SpendClient {
  const client = openGrpcClient(scope, SpendServiceService, {
    address,
    name: 'events-service',
    budgetMs: BUDGET_MS,
  });
  const reporterId = Buffer.from(scope.random.bytes(REPORTER_ID_BYTES)).toString('hex');
  return {
    exchange: async (request) => fromExchange(await client.exchangeLeases(toExchange(request))),
    async report(batch) {
      await client.reportServing(toReport(reporterId, batch));
    },
    async trafficGroups() {
      const { curves } = await client.getTrafficCurves({});
      return curves.slice(0, GROUPS_MAX).flatMap(fromCurve);
    },
  };
}

/** Decodes a curve. A curve with an unknown format is left out. */
function fromCurve({ appCategory, format, ...curve }: TrafficCurve): TrafficGroup[] {
  const known = adFormatFromWire(format);
  if (known === null) return [];
  return [{ ...curve, category: appCategory === '' ? null : appCategory, format: known }];
}

function toReport(reporterId: string, batch: ServingBatch): ReportServingRequest {
  return {
    reporterId,
    sequence: BigInt(batch.sequence),
    requests: batch.requests.map((row) => ({
      ...toPlace(row),
      hour: BigInt(row.hour),
      noFillReason: row.noFillReason ?? '',
      appVersion: row.appVersion ?? undefined,
      sdkVersion: row.sdkVersion ?? undefined,
      count: BigInt(row.count),
    })),
    fills: batch.fills.map((row) => ({
      ...toPlace(row),
      minute: BigInt(row.minute),
      advertiserId: row.advertiserId,
      campaignId: row.campaignId,
      creativeId: row.creativeId,
      count: BigInt(row.count),
      // The lease itself shows the held money.
      reservedNanos: 0n,
      expiresAtMs: 0n,
    })),
    traffic: batch.traffic.map(({ halfHour, category, format, count }) => ({
      halfHour: BigInt(halfHour),
      appCategory: category ?? '',
      format: adFormatToWire(format),
      requests: BigInt(count),
    })),
    losses: batch.losses.map(({ hour, campaignId, step, rival, requests, samples }) => ({
      hour: BigInt(hour),
      campaignId,
      step,
      rival: rival ?? '',
      requests: BigInt(requests),
      samples: BigInt(samples),
    })),
  };
}

function toPlace({ publisherId, appId, placement, format, country }: CountPlace) {
  return { publisherId, appId, placement, format: adFormatToWire(format), country: country ?? undefined };
}
