import {
  adFormatFromWire,
  adFormatToWire,
  openGrpcClient,
  type RpcClient,
  type Scope,
} from '@placard/service-kit';
import { asCampaignId, type Nanos } from '@placard/service-kit/pure';
import {
  SpendServiceService,
  type GetBudgetTruthResponse,
  type ReportServingRequest,
  type TrafficCurve,
} from '@placard/protos/events/v1/events.js';
import type { BudgetTruth, CampaignMinute, HeldMinute } from '../domain/budget.js';
import type { TrafficGroup } from '../domain/pacing/forecast.js';
import type { CountPlace, ServingBatch, SpendClient } from './spend-client.js';

const REPORTER_ID_BYTES = 16;
/** Traffic groups that are taken from one answer. */
const GROUPS_MAX = 2_000;

/** events-service's SpendService over gRPC; `reporter id` is drawn once, for the life of the process. */
export function openSpendClient(scope: Scope, address: string): SpendClient {
  const client = openGrpcClient(scope, SpendServiceService, { address, name: 'events-service' });
  const reporterId = Buffer.from(scope.random.bytes(REPORTER_ID_BYTES)).toString('hex');
  return {
    async budgetTruth(advertiserId, campaignIds) {
      return fromTruth(await client.getBudgetTruth({ advertiserId, campaignIds: [...campaignIds] }));
    },
    acceptedSums: (minutes) => acceptedSums(client, minutes),
    async report(batch) {
      await client.reportServing(toReport(reporterId, batch));
    },
    async reportReservations(held) {
      const { minutes } = await client.reportReservations({ minutes: held.map(toHeld) });
      return minutes.map(({ campaignId, minute, ...known }) => ({
        ...known,
        campaignId: asCampaignId(campaignId),
        minute: Number(minute),
      }));
    },
    async trafficGroups() {
      const { curves } = await client.getTrafficCurves({});
      return curves.slice(0, GROUPS_MAX).flatMap(fromCurve);
    },
  };
}

async function acceptedSums(
  client: RpcClient<typeof SpendServiceService>,
  minutes: readonly CampaignMinute[],
): Promise<readonly Nanos[]> {
  const { sums } = await client.getAcceptedSums({
    minutes: minutes.map(({ campaignId, minute, expiresAtMs }) => ({
      campaignId,
      minute: BigInt(minute),
      expiresAtMs: BigInt(expiresAtMs),
    })),
  });
  const byMinute = new Map(sums.map((sum) => [`${sum.campaignId}|${sum.minute}`, sum.acceptedNanos]));
  // A minute without an accepted impression may be left out.
  return minutes.map(({ campaignId, minute }) => byMinute.get(`${campaignId}|${minute}`) ?? 0n);
}

function fromTruth(truth: GetBudgetTruthResponse): BudgetTruth {
  return {
    advertiserAcceptedNanos: truth.advertiserAcceptedNanos,
    openMinutes: truth.openMinutes.map((open) => ({
      campaignId: asCampaignId(open.campaignId),
      minute: Number(open.minute),
      reservedNanos: open.reservedNanos,
      acceptedNanos: open.acceptedNanos,
      expiresAtMs: Number(open.expiresAtMs),
    })),
    campaigns: truth.campaigns.map((campaign) => ({
      campaignId: asCampaignId(campaign.campaignId),
      acceptedNanos: campaign.acceptedNanos,
      acceptedByDay: new Map(campaign.days.map(({ day, acceptedNanos }) => [Number(day), acceptedNanos])),
    })),
  };
}

/** A curve of a format that this process does not know is left out. */
function fromCurve({ appCategory, format, ...curve }: TrafficCurve): TrafficGroup[] {
  const known = adFormatFromWire(format);
  if (known === null) return [];
  return [{ ...curve, category: appCategory === '' ? null : appCategory, format: known }];
}

function toHeld({ advertiserId, campaignId, minute, reservedNanos, expiresAtMs }: HeldMinute) {
  return {
    ...{ advertiserId, campaignId, reservedNanos },
    minute: BigInt(minute),
    expiresAtMs: BigInt(expiresAtMs),
  };
}

function toReport(reporterId: string, batch: ServingBatch): ReportServingRequest {
  return {
    reporterId,
    sequence: BigInt(batch.sequence),
    requests: batch.requests.map((row) => ({
      ...toPlace(row),
      hour: BigInt(row.hour),
      noFillReason: row.noFillReason ?? '',
      count: BigInt(row.count),
    })),
    fills: batch.fills.map((row) => ({
      ...toPlace(row),
      minute: BigInt(row.minute),
      advertiserId: row.advertiserId,
      campaignId: row.campaignId,
      creativeId: row.creativeId,
      count: BigInt(row.count),
      reservedNanos: row.reservedNanos,
      expiresAtMs: BigInt(row.expiresAtMs),
    })),
    traffic: batch.traffic.map(({ halfHour, category, format, count }) => ({
      halfHour: BigInt(halfHour),
      appCategory: category ?? '',
      format: adFormatToWire(format),
      requests: BigInt(count),
    })),
  };
}

function toPlace({ publisherId, appId, placement, format, country }: CountPlace) {
  return { publisherId, appId, placement, format: adFormatToWire(format), country: country ?? undefined };
}
