import type { AppId, PlacementCode, PublisherId, RequestId } from '@placard/service-kit/pure';

/** A completed reward that was accepted, and that console-service has not confirmed. */
export interface AcceptedReward {
  readonly requestId: RequestId;
  readonly publisherId: PublisherId;
  readonly appId: AppId;
  readonly placement: PlacementCode;
  /** Whether the ad was a test ad. */
  readonly isTest: boolean;
  /** When the reward was reported, epoch ms. */
  readonly acceptedAtMs: number;
}

/** Most rewards that one call takes or confirms. */
export const REWARDS_MAX = 1_000;
