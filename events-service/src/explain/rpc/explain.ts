import {
  ExplainedRequest,
  ExplainServiceService,
  type FunnelHour as WireHour,
} from '@placard/protos/explain/v1/explain.js';
import { appError } from '@placard/service-kit';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import { asCampaignId, readRequestId } from '@placard/service-kit/pure';
import type { FunnelHour } from '../domain/funnel.js';
import type { GetExplanation } from '../usecase/get-explanation.js';
import type { GetFunnel } from '../usecase/get-funnel.js';
import type { RecordRequests, StoredExplanation } from '../usecase/record-requests.js';

/** What ExplainService does. */
export interface ExplainUseCases {
  readonly recordRequests: RecordRequests;
  readonly getFunnel: GetFunnel;
  readonly getExplanation: GetExplanation;
}

/** ExplainService on the wire. Contract: docs/contract/explanations.md#explanations. */
export function implementExplainService(useCases: ExplainUseCases): ImplementedService {
  return implementService(ExplainServiceService, {
    async recordRequests({ requests }) {
      await useCases.recordRequests(requests.map(fromWire));
      return {};
    },
    async getFunnel({ campaignId, fromMs, toMs }) {
      const query = { campaignId: asCampaignId(campaignId), fromMs: Number(fromMs), toMs: Number(toMs) };
      const { asOfMs, hours } = await useCases.getFunnel(query);
      return { asOfMs: BigInt(asOfMs), hours: hours.map(toWireHour) };
    },
    async getRequest({ requestId }) {
      return { request: ExplainedRequest.decode(await useCases.getExplanation(requestId)) };
    },
  });
}

function fromWire(request: ExplainedRequest): StoredExplanation {
  const requestId = readRequestId(request.requestId);
  if (requestId === null) throw appError('invalid_argument', 'An explanation has no request id.');
  return {
    requestId,
    atMs: Number(request.atMs),
    explanation: ExplainedRequest.encode(request).finish(),
  };
}

function toWireHour({ hour, losses, fills, impressions, clicks }: FunnelHour): WireHour {
  return {
    hour: BigInt(hour),
    losses: losses.map(({ step, rival, requests, samples }) => ({ step, rival, requests, samples })),
    fills,
    impressions,
    clicks,
  };
}
