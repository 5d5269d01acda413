import type { RequestId, SessionId } from '@placard/service-kit/pure';

/** The fields of an ad request for the cap on ad requests. */
export interface RequestToJudge {
  readonly sessionId: SessionId;
  readonly requestId: RequestId;
  readonly atMs: number;
  /** Epoch ms of the caller's deadline. */
  readonly deadlineAt: number;
}

/** The methods of fraud-service for ad requests. */
export interface FraudClient {
  /**
   * Whether the session may make one more ad request; if so, the request is counted. Also true when fraud-service
   * cannot be called: ad requests then go on without the cap. Contract: docs/contract/failures.md#fraud-service.
   */
  passes(request: RequestToJudge): Promise<boolean>;
}
