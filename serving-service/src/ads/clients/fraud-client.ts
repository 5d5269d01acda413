import type { RequestId, SessionId } from '@placard/service-kit/pure';

/** An ad request as the cap on ad requests sees it. */
export interface RequestToJudge {
  readonly sessionId: SessionId;
  readonly requestId: RequestId;
  readonly atMs: number;
  /** Epoch ms of the caller's deadline. */
  readonly deadlineAt: number;
}

/** fraud-service, as far as ad requests need it. */
export interface FraudClient {
  /**
   * Whether the session may ask once more, and counts the request when it may. True as well when fraud-service cannot
   * be asked: ad requests go on without the cap. Contract: docs/contract/failures.md#fraud-service.
   */
  passes(request: RequestToJudge): Promise<boolean>;
}
