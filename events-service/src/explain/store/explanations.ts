import type { CampaignId, RequestId } from '@placard/service-kit/pure';
import type { HourDelivery, StepLoss } from '../domain/funnel.js';

/** The explanation of one request. */
export interface StoredExplanation {
  readonly requestId: RequestId;
  /** Instant of the request, epoch ms. */
  readonly atMs: number;
  /** The message of serving-service. */
  readonly explanation: Uint8Array;
}

/** A campaign and a time of whole hours, half-open, in epoch ms. */
export interface FunnelQuery {
  readonly campaignId: CampaignId;
  readonly fromMs: number;
  readonly toMs: number;
}

/** One snapshot of what became of a campaign's requests. */
export interface FunnelCounts {
  readonly asOfMs: number;
  readonly losses: readonly StepLoss[];
  readonly deliveries: readonly HourDelivery[];
}

/** Explanations of campaigns and of single requests. Error: `unavailable`. */
export interface ExplanationStore {
  /** Keeps explanations. The first one of a request id stays. */
  keep(explanations: readonly StoredExplanation[]): Promise<void>;
  /** The explanation of a request. Null: none is kept. */
  find(requestId: RequestId): Promise<Uint8Array | null>;
  funnel(query: FunnelQuery): Promise<FunnelCounts>;
  /** Deletes what is older than these ages, in seconds. */
  prune(ages: { readonly lossesSeconds: number; readonly requestsSeconds: number }): Promise<void>;
}
